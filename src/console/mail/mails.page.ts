import { html, redirect, type Html } from '../../kit/index.js';
import type { MailDto } from '../../platform/mail/mails.dto.js';
import { emptyState } from '../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../components/lists.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { mailBadge, MAIL_STATUS_OPTIONS } from './mail-words.js';

export const mailsPage = definePage({
  path: '/mail',
  title: 'Mail',
  permission: 'org.developer.mail.view',
  operations: ['list_mails'],
  nav: 'Deliveries',
  icon: 'mail',
  hasMode: true,
  notices: { resent: 'The mails are sent.' },
  parameters: { status: { label: 'Status' }, recipient: { label: 'Recipient' } },
  async show(visit) {
    const { mode } = visit;
    const [mails, held] = await Promise.all([
      visit.listOfPage<MailDto>('/developer/mail-outbox', { mode, ...filterQuery(visit), ...cursorOf(visit) }),
      visit.list<MailDto>('/developer/mail-outbox', { mode, status: 'held', limit: 1 }),
    ]);
    const filtered = isFiltered(visit);
    const isEmpty = mails.data.length === 0;
    const filters = filterForm(visit, [
      { name: 'status', options: MAIL_STATUS_OPTIONS },
      { name: 'recipient', type: 'text', placeholder: 'ada@example.com' },
    ]);
    return {
      title: 'Mail',
      lead:
        visit.mode === 'test'
          ? 'Mails that the suite would have sent. Mail of test data is never sent.'
          : 'Mails that the suite sends, with their status.',
      body: html`${held.data.length > 0 && heldNote(visit)}${(!isEmpty || filtered) && filters}${
        isEmpty ? nothing(visit, filtered) : table({ caption: 'Mails', columns: columns(visit), rows: mails.data })
      }${paging(visit, mails, { isEndless: true })}`,
    };
  },
  actions: {
    resend: {
      permission: 'org.developer.mail.send',
      operations: ['resend_failed_mails'],
      refusal: 'The mails were not sent',
      async run(visit) {
        await visit.post('/developer/mail-outbox/resend', {});
        return redirect(visit.here({ done: 'resent' }));
      },
    },
  },
});

/** Held mails wait until someone sends them again, also after a mail server is set. */
function heldNote(visit: Visit): Html {
  if (!visit.site.sendsMail)
    return html`<div class="note"><h2>Mail is held</h2>
<p>No mail server is set, so mails wait here. Whoever runs the suite sets <code>SMTP_URL</code>.</p></div>`;
  const form = visit.may('resend') && visit.form('resend').render({ submit: { label: 'Send them' } });
  return html`<div class="note"><h2>Some mails are held</h2>
<p>They were written before a mail server was set. New mails are sent; <a href="${visit.here({ status: 'held' })}">those held</a> wait
until somebody sends them, together with those that failed because of the mail server.</p>${form}</div>`;
}

function columns(visit: Visit): Column<MailDto>[] {
  return [
    {
      label: 'Subject',
      cell: ({ id, subject }) => html`<a href="${visit.link(`/mail/${id}`)}">${subject ?? 'Subject not shown'}</a>`,
    },
    { label: 'To', cell: ({ recipient }) => recipient ?? html`<span class="soft">Not shown</span>` },
    {
      label: 'Status',
      isState: true,
      cell: ({ status, error }) => html`${mailBadge(status)}${error !== null && html`<br><span class="soft">${error}</span>`}`,
    },
    { label: 'Written', cell: ({ created_at }) => timeOf(created_at) },
  ];
}

function nothing(visit: Visit, filtered: boolean): Html {
  if (filtered)
    return emptyState({
      heading: 'No mail matches',
      text: 'There may be others, with another status or to somebody else.',
      step: html`<a class="button quiet" href="${visit.link('/mail')}">Show all</a>`,
    });
  return visit.mode === 'test'
    ? emptyState({
        heading: 'No mail for test data',
        text: 'Invitations, reminders and requests to sign that test data would cause are shown here instead of being sent.',
      })
    : emptyState({
        heading: 'No mail yet',
        text: 'Invitations, reminders and requests to sign appear here as soon as the suite writes one.',
      });
}
