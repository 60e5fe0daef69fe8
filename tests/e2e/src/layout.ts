// SPDX-License-Identifier: Apache-2.0
//
// What a layout owes to a finger and an eye, whatever the size of window and text: nothing is wider than the phone,
// nothing lies over anything else, and every control can be brought under the finger. All of it runs in the page.

export function faultsOfLayout(): string[] {
  const SLACK_PX = 1.5;
  const FREE_SHARE = 0.15; // of the window's height, left by what sticks to its edges
  const CONTROLS = 'button, a[href], input, summary, select, textarea';
  const faults: string[] = [];
  const note = (text: string): void => void (faults.length < 12 && faults.push(text));

  const dialog = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1);
  // What veils the page on purpose is what has to be fit then.
  const veil = [...document.querySelectorAll<HTMLElement>('[data-veil]')].at(-1);
  const top: HTMLElement = dialog ?? veil ?? document.body;
  const nameOf = (node: Element): string => {
    const id = node.closest<HTMLElement>('[data-testid]')?.dataset['testid'];
    return id ?? `${node.tagName} ${String(node.getAttribute('class') ?? '')} "${node.textContent?.trim().slice(0, 20)}"`;
  };
  // A radio button is what its label shows.
  const shape = (node: Element): Element =>
    node instanceof HTMLInputElement && node.type === 'radio' ? (node.closest('label') ?? node) : node;
  const hidden = (node: Element): boolean =>
    !node.checkVisibility({ checkVisibilityCSS: true }) || node.closest('.sr, .skip') !== null;
  // What moves with the page, and what is fixed to the window: these may pass over each other.
  const layer = (node: Element): Element | null => {
    for (let at: Element | null = node; at !== null && at !== top; at = at.parentElement)
      if (['sticky', 'fixed'].includes(getComputedStyle(at).position)) return at;
    return null;
  };

  const wide = (node: Element): void => {
    if (node.scrollWidth <= node.clientWidth) return;
    const guilty = [...node.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right >
      node.getBoundingClientRect().left + node.clientWidth + 0.5);
    note(`${node.scrollWidth} px wide in ${node.clientWidth}: ${guilty.slice(0, 4).map(nameOf).join(', ')}`);
  };
  wide(document.documentElement);
  if (dialog) wide(dialog);

  interface Piece { of: Element; box: DOMRect; layer: Element | null }
  const meet = (a: DOMRect, b: DOMRect): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK_PX &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK_PX;
  type Meeting = (a: Piece, b: Piece) => boolean;
  const crossing = (what: string, pieces: Piece[], cross: Meeting = (a, b) => meet(a.box, b.box)): void => {
    pieces.forEach((a, i) => pieces.slice(i + 1).forEach((b) => {
      const kin = a.of.contains(b.of) || b.of.contains(a.of);
      if (!kin && a.layer === b.layer && cross(a, b))
        note(`${what} lie over each other: ${nameOf(a.of)} and ${nameOf(b.of)}`);
    }));
  };
  const piece = (node: Element, box = node.getBoundingClientRect()): Piece => ({ of: node, box, layer: layer(node) });

  const controls = [...top.querySelectorAll(CONTROLS)].filter((node) => !hidden(node)).map(shape);
  // Round ones meet as circles do.
  const round = (node: Element): boolean => getComputedStyle(node).borderRadius === '50%';
  const circlesMeet = (a: DOMRect, b: DOMRect): boolean => Math.hypot(a.x + a.width / 2 - b.x - b.width / 2,
    a.y + a.height / 2 - b.y - b.height / 2) < (a.width + b.width) / 2 - SLACK_PX;
  crossing('controls', controls.map((node) => piece(node)), (a, b) =>
    round(a.of) && round(b.of) ? circlesMeet(a.box, b.box) : meet(a.box, b.box));

  // Lines of text are lower than the boxes that the font asks for.
  const words: Piece[] = [];
  const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const of = node.parentElement;
    if (of === null || node.textContent?.trim() === '' || hidden(of)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { x, y, width, height } of range.getClientRects())
      words.push(piece(of, new DOMRect(x, y + height * 0.25, width, height * 0.5)));
  }
  crossing('texts', words);

  // What sticks to the edges leaves room between, and each control can be brought there. Moving about is undone.
  const was = [window.scrollX, window.scrollY] as const;
  const stuck = [...top.querySelectorAll<HTMLElement>('*')].filter((node) =>
    ['sticky', 'fixed'].includes(getComputedStyle(node).position) && !hidden(node) &&
    getComputedStyle(node).pointerEvents !== 'none');
  const end = document.documentElement.scrollHeight - window.innerHeight;
  for (const y of dialog || veil ? [] : [0, end / 2, end]) {
    window.scrollTo({ top: y, behavior: 'instant' });
    const seen = stuck.map((node) => piece(node)).filter(({ box }) => box.bottom > 0 && box.top < window.innerHeight);
    seen.forEach((a, i) => seen.slice(i + 1).forEach((b) => {
      const kin = a.of.contains(b.of) || b.of.contains(a.of);
      if (!kin && meet(a.box, b.box)) note(`what sticks to the edges meets: ${nameOf(a.of)} and ${nameOf(b.of)}`);
    }));
    const at = (part: number): boolean => {
      const point = document.elementFromPoint(window.innerWidth / 2, window.innerHeight * part);
      return stuck.some((node) => node.contains(point) && node.getBoundingClientRect().height < window.innerHeight);
    };
    const parts = Array.from({ length: 40 }, (_, i) => (i + 0.5) / 40);
    if (parts.filter((part) => !at(part)).length / parts.length < FREE_SHARE)
      note(`what sticks to the edges leaves no room: ${stuck.map(nameOf).join(', ')}`);
  }
  for (const node of controls) {
    node.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top: y, width, height } = node.getBoundingClientRect();
    for (const [part, of] of [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.15], [0.5, 0.85]] as const) {
      const met = document.elementFromPoint(left + width * part, y + height * of);
      if (met === null || !(node.contains(met) || met.contains(node))) {
        note(`a finger cannot meet ${nameOf(node)}: ${met === null ? 'outside' : `${nameOf(met)} is over it`}`);
        break;
      }
    }
  }
  window.scrollTo({ left: was[0], top: was[1], behavior: 'instant' });
  return faults;
}
