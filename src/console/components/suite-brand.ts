import { html } from '../../kit/index.js';

/** Above the heading of pages for people without a session. */
export const SUITE_BRAND = html`<p class="brand"><span class="crest" aria-hidden="true">W</span><b>Work suite</b></p>`;
