// SPDX-License-Identifier: Apache-2.0
import { t } from '../../texts/index.svelte';
import { pictures } from './pictures';

export function artName(art: number): string {
    const picture = pictures[art];
    return picture === undefined ? '' : t(picture.nameKey);
}
