// SPDX-License-Identifier: Apache-2.0
//
// Cards for the rules' drawings. Any two of them bear one picture in common, as in the game.
import { inOrder, type Card } from './model';
import { pictureNames, type PictureName } from './pictures';

const RING = 7; // pictures around the one in the middle

function lay(id: number, names: PictureName[]): Card {
    const place = (i: number): [number, number] => {
        const angle = (2 * Math.PI * (i - 1)) / RING - Math.PI / 2;
        return i === 0 ? [500, 500] : [500 + 338 * Math.cos(angle), 500 + 338 * Math.sin(angle)];
    };
    const items = names.map((name, i) => ({
        art: pictureNames.indexOf(name),
        x: Math.round(place(i)[0]),
        y: Math.round(place(i)[1]),
        size: i === 0 ? 260 : 250,
        turn: (i * 47 + id * 20) % 360,
    }));
    return { id, items: inOrder(items) };
}

export const samples = [
    lay(1, ['cat', 'key', 'apple', 'rocket', 'umbrella', 'bell', 'moon', 'car']),
    lay(2, ['tree', 'cat', 'glasses', 'dice', 'carrot', 'cloud', 'anchor', 'gift']),
    lay(3, ['rainbow', 'rabbit', 'cat', 'clock', 'hat', 'ball', 'candle', 'fish']),
    lay(4, ['key', 'tree', 'rabbit', 'snowman', 'camera', 'crown', 'leaf', 'boat']),
] as const;
export const SHARED = pictureNames.indexOf('cat');
