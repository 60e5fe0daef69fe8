// SPDX-License-Identifier: Apache-2.0
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
    plugins: [svelte()],
    build: {
        target: 'es2022',
        manifest: true,
        sourcemap: false,
        // The gateway's Content-Security-Policy allows files of our own only: nothing is inlined.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
    },
    test: {
        include: ['src/**/*.test.ts', 'dev/**/*.test.ts'],
        environment: 'node',
    },
});
