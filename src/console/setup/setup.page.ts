import { html } from '../../kit/index.js';
import { referenceLink } from '../components/reference.js';
import { definePage } from '../frame/page-definition.js';

const MEMBERS = '/openapi.org.json';

export const setupPage = definePage({
  path: '/setup',
  title: 'API only',
  permission: null,
  operations: [],
  nav: 'Automation',
  show: (visit) => ({
    title: 'Set up with the API',
    lead: 'These have no pages here yet. Your session and API keys reach all of them; each leads to its routes in the reference.',
    body: html`${visit.site.modules.map(
      ({ title, apiOnly }) =>
        apiOnly !== undefined &&
        html`<h2>${title}</h2><dl>${apiOnly.map(
          ({ names, text }) =>
            html`<dt>${names.map(([word, operation], index) => [
              index > 0 && ', ',
              referenceLink(visit, operation, word),
            ])}</dt><dd>${text}</dd>`,
        )}</dl>`,
    )}
<h2>Reference</h2><ul>
<li><a href="/docs">Routes for API keys</a>, with examples to try</li>
<li><a href="${MEMBERS}">Routes for signed-in members</a>, as OpenAPI for generated clients</li>
<li><a href="/docs/webhooks">Events and webhooks</a></li><li><a href="/docs/errors">Error codes</a></li></ul>`,
  }),
});
