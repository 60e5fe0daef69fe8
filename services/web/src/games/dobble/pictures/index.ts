// SPDX-License-Identifier: Apache-2.0
//
// The 57 pictures of the game, drawn for this project. A picture's number is its place in this list, which is that of
// the rules; the server deals numbers. Each drawing is the file of that name beside this one: it lives in a circle of
// radius 50 around the origin and leaves nothing outside, so that a card may turn and scale it and still pack circles.
//
// One hand drew them: an ink line of 4 (3 for what lies inside), round ends, flat colours out of one small palette, a
// shade at the lower right. Line and ends are the file's own <svg> attributes, so a part that names none follows
// whoever shows it; Picture.svelte makes the light edge for dark paper that way.
import type { picturesKo } from './ko';

export const pictureNames = [
    'apple', 'sun', 'moon', 'star', 'heart', 'drop', 'flame', 'snowflake', 'lightning', 'cloud', 'tree', 'flower',
    'leaf', 'cactus', 'mushroom', 'carrot', 'lemon', 'cherry', 'cat', 'dog', 'fish', 'bird', 'turtle', 'ladybug',
    'spider', 'dinosaur', 'rabbit', 'penguin', 'key', 'padlock', 'clock', 'bulb', 'pencil', 'scissors', 'glasses',
    'umbrella', 'hat', 'crown', 'bell', 'anchor', 'bicycle', 'car', 'rocket', 'boat', 'ball', 'dice', 'note',
    'camera', 'house', 'castle', 'gift', 'candle', 'hammer', 'exclamation', 'question', 'snowman', 'rainbow',
] as const;

export type PictureName = (typeof pictureNames)[number];

export interface Drawn {
    name: PictureName;
    nameKey: keyof typeof picturesKo;
    inner: string; // what stands inside the file's <svg>
}

const files = import.meta.glob<string>('./*.svg', { query: '?raw', import: 'default', eager: true });

function drawn(name: PictureName): Drawn {
    const file = files[`./${name}.svg`] ?? '';
    return { name, nameKey: `picture.${name}`, inner: file.replace(/^<svg[^>]*>|<\/svg>\s*$/g, '') };
}

export const pictures: readonly Drawn[] = pictureNames.map(drawn);
