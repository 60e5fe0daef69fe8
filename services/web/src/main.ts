// SPDX-License-Identifier: Apache-2.0
import { mount } from 'svelte';
import App from './App.svelte';
import { app } from './store/app.svelte';
import { followHistory } from './store/route.svelte';
import { settings } from './store/settings.svelte';
import { lang } from './texts/index.svelte';
import './ui/base.css';

settings.apply();
document.documentElement.lang = lang();
followHistory();
app.start();
const target = document.getElementById('app');
if (target !== null) {
    mount(App, { target });
}
