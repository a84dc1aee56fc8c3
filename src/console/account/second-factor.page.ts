import { html, redirect, type Html } from '../../kit/index.js';
import type { RecoveryCodesDto, SecondFactorDto, SecondFactorSetupDto } from '../../platform/people/second-factor/second-factor.dto.js';
import { badge } from '../components/badge.js';
import { codeBlock, copyField } from '../components/blocks.js';
import { ACCOUNT } from '../frame/own-pages.js';
import { definePage, type View } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { qrPicture } from './qr-code.js';

export const SECOND_FACTOR = `${ACCOUNT}/second-factor`;

const FRAME = { title: 'Second factor', above: [{ path: ACCOUNT, label: 'Account' }] } as const;

export const secondFactorPage = definePage({
  path: SECOND_FACTOR,
  title: 'Second factor',
  permission: null,
  operations: ['get_second_factor'],
  async show(visit) {
    const uri = visit.refused?.action === 'enable' ? visit.submission?.values.text('uri') : undefined;
    if (uri !== undefined) return setupView(visit, uri);
    const factor = await visit.get<SecondFactorDto>('/account/second-factor');
    return { ...FRAME, ...(factor.enabled_at === null ? offer(visit) : manage(visit, factor)) };
  },
  actions: {
    set_up: {
      operations: ['set_up_second_factor'],
      refusal: 'It was not set up',
      async run(visit) {
        const { uri } = await visit.post<SecondFactorSetupDto>('/account/second-factor');
        return uri === null ? redirect(visit.here()) : setupView(visit, uri);
      },
    },
    enable: {
      operations: ['enable_second_factor'],
      refusal: 'It is not on yet',
      async run(visit, values) {
        const { codes } = await visit.post<RecoveryCodesDto>('/account/second-factor/enable', { code: values.text('code') });
        return codesView(visit, codes, 'Your second factor is on');
      },
    },
    renew_codes: {
      operations: ['renew_recovery_codes'],
      refusal: 'No new codes were made',
      async run(visit) {
        const { codes } = await visit.post<RecoveryCodesDto>('/account/second-factor/recovery-codes');
        return codesView(visit, codes, 'New recovery codes');
      },
    },
    remove: {
      operations: ['remove_second_factor'],
      refusal: 'It was not removed',
      async run(visit) {
        await visit.delete('/account/second-factor');
        return redirect(visit.link(ACCOUNT, { done: 'factor' }));
      },
    },
  },
});

function offer(visit: Visit): Pick<View, 'lead' | 'body'> {
  return {
    lead: 'A code from your phone beside your password, so that a stolen password alone opens nothing.',
    body: html`<ol><li>Install an authenticator app on your phone, such as Aegis, 1Password, or the one of Google or Microsoft.</li>
<li>Scan a QR code with it, or type its text.</li><li>Enter the code that the app shows.</li></ol>
${visit.form('set_up').render({ submit: { label: 'Set it up' } })}`,
  };
}

function manage(visit: Visit, { recovery_codes_left, required }: SecondFactorDto): Pick<View, 'lead' | 'body'> {
  const remove = visit.form('remove').render({
    submit: { label: 'Remove the second factor', tone: 'grave', confirm: 'Remove your second factor?' },
  });
  return {
    lead: html`${badge('On', 'good')} Your sign-in asks for a code of your authenticator app.`,
    body: html`<h2>Recovery codes</h2>
<p>${recovery_codes_left} of 10 are left. Each works once instead of the app, in case your phone is lost.</p>
${visit.form('renew_codes').render({
  submit: { label: 'Make new codes', tone: 'quiet', confirm: 'Make new codes? The earlier ones no longer work.' },
})}
<h2>Remove it</h2>${
      required
        ? html`<p class="soft">Your organization requires a second factor for your role, so it cannot be removed.</p>`
        : html`<p class="soft">For another phone too: remove it, then set it up anew.
Until then your password alone signs you in.</p>${remove}`
    }`,
  };
}

/**
 * The secret to scan or type, and the field for the first code. After a wrong code it is shown again, with the secret that the form
 * contains.
 */
function setupView(visit: Visit, uri: string): View {
  const secret = URL.canParse(uri) ? new URL(uri).searchParams.get('secret') : null;
  if (secret === null) return { ...FRAME, ...offer(visit) };
  const form = visit.form('enable');
  const code = form.text({
    name: 'code',
    label: 'Code of the app',
    hint: 'Six digits.',
    autocomplete: 'one-time-code',
    attributes: html` inputmode="numeric" maxlength="7"`,
  });
  const typed = copyField({ id: 'secret', label: 'Or type this secret', value: grouped(secret), hint: 'Time-based, six digits.' });
  return {
    ...FRAME,
    lead: 'Nothing has changed yet: it is on once you have entered a code.',
    body: html`<h2>1. Scan the code with your authenticator app</h2>${qrPicture(uri, 'QR code for your authenticator app')}
<div class="narrow">${typed}</div>
<h2>2. Enter the code that it shows</h2>
${form.render({ className: 'narrow', body: html`${form.hidden('uri', uri)}${code}`, submit: { label: 'Turn it on' } })}`,
  };
}

function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}

function codesView(visit: Visit, codes: readonly string[] | null, title: string): View {
  const next = visit.link(ACCOUNT);
  if (codes === null)
    return {
      ...FRAME,
      title: 'The codes were shown already',
      body: html`<div class="note" role="status"><h2>They are not shown again</h2><p>If you did not store them, make
<a href="${visit.here()}">new ones</a>: the earlier ones then no longer work.</p></div>
<p><a class="button" href="${next}">Continue</a></p>`,
    };
  return {
    ...FRAME,
    title,
    body: html`${storeNote()}${codeBlock(codes.join('\n'), { id: 'codes', label: 'Recovery codes' })}
<p><a class="button" href="${next}">I have stored them</a></p>`,
  };
}

function storeNote(): Html {
  return html`<div class="note done" role="status" tabindex="-1" autofocus><h2>Store these recovery codes now</h2>
<p>Each works once instead of the app, in case your phone is lost. Put them where you keep your passwords, or print them:
they are shown only
now.</p></div>`;
}
