import { html } from '../../kit/index.js';
import { referenceLink } from '../components/reference.js';
import { definePage } from '../frame/page-definition.js';

const MEMBERS = '/openapi.org.json';

/** A word of the page, and the operation in the API reference that it links to. */
type Reference = readonly [word: string, operation: string];

/** Subjects that have routes but no pages, by module. */
const SUBJECTS: readonly { module: string; things: readonly { names: readonly Reference[]; text: string }[] }[] = [
  {
    module: 'Documents',
    things: [
      {
        names: [['Document types', 'create_org_document_type']],
        text: 'fields, lifecycle, approval, numbering and layout of each kind of document',
      },
      {
        names: [['Forms', 'create_org_form']],
        text: 'public forms whose submissions become documents',
      },
      {
        names: [['Triggers', 'create_org_trigger']],
        text: 'which events generate documents; the console shows their runs',
      },
      {
        names: [
          ['Reports', 'create_org_report'],
          ['rule packs', 'create_org_rule_pack'],
        ],
        text: 'saved reports, and the rules that check documents',
      },
      {
        names: [
          ['Documents', 'create_org_document'],
          ['approvals', 'list_org_pending_approvals'],
        ],
        text: 'the work itself: create, submit, approve, send, share',
      },
    ],
  },
  {
    module: 'CRM',
    things: [
      {
        names: [
          ['Pipelines', 'create_org_crm_pipeline'],
          ['sources', 'create_org_crm_source'],
          ['fields', 'create_org_crm_custom_field'],
        ],
        text: 'stages of deals, where leads come from, and fields of your own',
      },
      { names: [['Assignment rules', 'create_org_crm_assignment_rule']], text: 'who gets which lead' },
      { names: [['Leads', 'list_org_leads']], text: 'list, import, score, and their consent log' },
    ],
  },
  {
    module: 'Schedule',
    things: [
      {
        names: [
          ['Calendars', 'create_org_calendar'],
          ['templates', 'create_org_event_template'],
        ],
        text: 'who is available when, with rooms and equipment',
      },
      { names: [['Booking pages', 'create_org_booking_page']], text: 'the public pages on which guests book a time' },
    ],
  },
];

export const setupPage = definePage({
  path: '/setup',
  title: 'API only',
  permission: null,
  operations: [],
  nav: 'Automation',
  show: (visit) => ({
    title: 'Set up with the API',
    lead: 'These have no pages here yet. Your session and API keys reach all of them; each leads to its routes in the reference.',
    body: html`${SUBJECTS.map(
      ({ module, things }) =>
        html`<h2>${module}</h2><dl>${things.map(
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
