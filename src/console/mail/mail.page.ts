import { html, redirect, type Html } from '../../kit/index.js';
import type { MailDto } from '../../platform/mail/mails.dto.js';
import { modeBadge } from '../components/badge.js';
import { definitions } from '../components/blocks.js';
import { plainBlock } from '../components/json.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import { mailBadge, mailMeaning } from './mail-words.js';

export const mailPage = definePage({
  path: '/mail/:id',
  title: 'Mail',
  permission: 'org.developer.mail.view',
  operations: ['get_mail'],
  notices: { resent: 'The mail is sent again.' },
  async show(visit) {
    const mail = await visit.get<MailDto>(`/developer/mail-outbox/${visit.param('id')}`);
    const { subject, recipient, reply_to, status, error, mode, created_at, sent_at } = mail;
    return {
      title: subject ?? 'Mail without its subject',
      above: [{ path: mode === 'test' ? '/mail?mode=test' : '/mail', label: 'Mail' }],
      mode,
      tools:
        mail.can_resend && visit.can('org.developer.mail.send')
          ? visit.form('resend').render({ submit: { label: 'Send again' } })
          : undefined,
      body: html`${definitions([
        ['Status', html`${mailBadge(status)} <span class="soft">${mailMeaning(status)}</span>`],
        ['Error', error],
        ['To', recipient ?? 'Not shown'],
        ['Cc', mail.cc.length > 0 && mail.cc.join(', ')],
        ['Files', mail.files.length > 0 && mail.files.map(({ file_name }) => file_name).join(', ')],
        ['Reply to', reply_to],
        ['Written', timeOf(created_at, { seconds: true })],
        ['Sent', sent_at !== null && timeOf(sent_at, { seconds: true })],
        ['Data', modeBadge(mode)],
      ])}${contentOf(mail)}`,
    };
  },
  actions: {
    resend: {
      permission: 'org.developer.mail.send',
      operations: ['resend_mail'],
      refusal: 'The mail was not sent again',
      async run(visit) {
        await visit.post(`/developer/mail-outbox/${visit.param('id')}/resend`);
        return redirect(visit.here({ done: 'resent' }));
      },
    },
  },
});

function contentOf(mail: MailDto): Html {
  const { text, html: markup, calendar } = mail;
  if (text === null) return html`<p class="note">${whyHidden(mail)}</p>`;
  return html`<h2>Text</h2><div class="card letter">${text}</div>${
    markup !== null && html`<details><summary>HTML part</summary>${plainBlock(markup, { id: 'html', label: 'HTML part' })}</details>`
  }${calendar !== null && html`<h2>Calendar part</h2>${plainBlock(calendar, { id: 'calendar', label: 'Calendar part' })}`}`;
}

function whyHidden({ required_permission, confidential, status }: MailDto): Html {
  if (required_permission !== null) return html`Your role lacks the permission <code>${required_permission}</code> to read what it says.`;
  if (confidential && status !== 'held' && status !== 'suppressed')
    return html`It has a link or a code by which its reader acts in their own name, so only they may read it.`;
  return html`It is about what is private to another member.`;
}
