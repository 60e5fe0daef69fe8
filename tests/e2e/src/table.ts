// SPDX-License-Identifier: Apache-2.0
//
// A game of 숫자 암호 as somebody sees it: read from the page alone, by what has a test id.
import type { Person } from './person.js';

export interface SeenTile {
  index: number;
  open: boolean; // everybody sees it
  label: string; // what a screen reader says: "3번째 검정 7, 나만 보여요"
  tappable: boolean;
  face: string | null; // "7" or "조커" where this page shows it
}
export interface SeenRow {
  seat: number;
  mine: boolean;
  tiles: SeenTile[];
}
export interface Table {
  over: boolean;
  phase: string;
  mine: boolean; // the game waits for this person
  rows: SeenRow[];
  slots: number;
  // Changes with every move, and with nothing else: what the pad covers while a guess is under way is not part of it.
  print: string;
}

function readTable(): Table {
  const by = (id: string): Element | null => document.querySelector(`[data-testid="${id}"]`);
  const turn = by('turn') as HTMLElement | null;
  const over = (by('game') as HTMLElement | null)?.dataset['over'] === 'true';
  const rows = [...document.querySelectorAll('[data-testid^="row-"]')].map((row) => ({
    seat: Number((row as HTMLElement).dataset['testid']?.slice(4)),
    mine: row.classList.contains('mine'),
    tiles: [...row.querySelectorAll<HTMLElement>('[data-testid^="tile-"]')].map((tile, index) => {
      const label = tile.getAttribute('aria-label') ?? '';
      return {
        index,
        label,
        open: tile.dataset['open'] === 'true',
        tappable: tile.tagName === 'BUTTON',
        face: /(?:검정|흰색) (\d+|조커),/.exec(label)?.[1] ?? null,
      };
    }),
  }));
  const phase = turn?.dataset['phase'] ?? '';
  const mine = turn?.dataset['mine'] === 'true';
  const pools = ['black', 'white'].map((color) => (by(`pool-${color}`) as HTMLElement | null)?.dataset['count']);
  const open = rows.map((row) => `${row.seat}:${row.tiles.map((tile) => Number(tile.open)).join('')}`);
  const print = [over, phase, mine, pools, open].join('|');
  return { over, phase, mine, rows, print, slots: document.querySelectorAll('[data-testid^="slot-"]').length };
}

export const lookAt = (person: Person): Promise<Table> => person.page.evaluate(readTable);

export function ownRow(table: Table): SeenRow {
  const row = table.rows.find((each) => each.mine);
  if (!row) throw new Error('this person has no row');
  return row;
}

// The row of this person as one line, to compare what is seen before and after: "검정 1, 흰색 5 ...".
export const ownTiles = (table: Table): string => ownRow(table).tiles.map((tile) => tile.label).join(' / ');

export interface Target {
  seat: number;
  index: number;
}

export function targets(table: Table): Target[] {
  return table.rows.filter((row) => !row.mine).flatMap((row) =>
    row.tiles.filter((tile) => tile.tappable).map((tile) => ({ seat: row.seat, index: tile.index })));
}
