// SPDX-License-Identifier: Apache-2.0
//
// Where we are, as the address bar says: /, /r/CODE, /code, /rules/GAME.
import { normaliseCode } from './code';

export type Route =
    | { page: 'home' }
    | { page: 'code' }
    | { page: 'room'; code: string }
    | { page: 'rules'; game: string };

export function parseRoute(path: string): Route {
    const [first, second] = path.split('/').filter((p) => p !== '');
    if (first === 'r' && second !== undefined) {
        return { page: 'room', code: normaliseCode(decodeURIComponent(second)) };
    }
    if (first === 'rules' && second !== undefined) {
        return { page: 'rules', game: second };
    }
    return first === 'code' ? { page: 'code' } : { page: 'home' };
}

export function routePath(route: Route): string {
    switch (route.page) {
        case 'room':
            return `/r/${route.code}`;
        case 'rules':
            return `/rules/${route.game}`;
        case 'code':
            return '/code';
        default:
            return '/';
    }
}

let current = $state<Route>(
    typeof location === 'undefined' ? { page: 'home' } : parseRoute(location.pathname),
);

export function route(): Route {
    return current;
}

// `replace` for moves that Back should not return to.
export function go(next: Route, replace = false): void {
    const path = routePath(next);
    if (path !== location.pathname) {
        history[replace ? 'replaceState' : 'pushState'](null, '', path);
    }
    current = next;
    window.scrollTo(0, 0);
}

export function followHistory(): void {
    window.addEventListener('popstate', () => {
        current = parseRoute(location.pathname);
    });
}
