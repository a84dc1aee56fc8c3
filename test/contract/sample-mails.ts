import { manifestOf } from '../../src/kit/internal.js';
import { memberInvitationMail, newPasswordMail, passwordChangedMail } from '../../src/platform/account/mails/account-mails.js';
import { endingKeyMail } from '../../src/platform/key-expiry/ending-key-mail.js';
import { secondFactorMail } from '../../src/platform/people/second-factor/second-factor-mail.js';
import { disabledEndpointMail } from '../../src/platform/webhooks/endpoints/disabled-endpoint-mail.js';
import { modulesOfRun } from '../harness/module-list.js';
import { contractsOf } from './module-contract.js';
import { BASE, NOW, ORGANIZATIONS, samples, TOKEN, type SampleMail } from './sample-mail.js';

/** Every mail that the platform and the modules of this run send. */
export async function sampleMails(): Promise<SampleMail[]> {
  const contracts = [...(await contractsOf((await modulesOfRun()).map(manifestOf))).values()];
  return [...platformMails(), ...contracts.flatMap(({ mails }) => mails?.() ?? [])];
}

function platformMails(): SampleMail[] {
  const organization = ORGANIZATIONS.en;
  const member = 'ada@acme.example';
  const invited = { email: 'grace@example.com', name: 'Grace', role: 'member', inviter: { name: 'Ada Lovelace', email: member } };
  const key = { name: 'Website', module: 'notes', mode: 'live', last_four: '9f3a', expires_at: new Date('2026-12-12T09:30:00Z') };
  const page = `${BASE}/console`;
  return samples([
    ['memberInvitationMail', memberInvitationMail(invited, organization, `${BASE}/i?token=${TOKEN}`, 7)],
    ['newPasswordMail', newPasswordMail(member, organization, `${page}/reset?token=${TOKEN}`, 60)],
    ['passwordChangedMail', passwordChangedMail(member, 'was changed in the developer area', `${page}/reset`)],
    ['secondFactorMail', secondFactorMail(member, 'Your recovery codes were replaced', 'has new recovery codes')],
    [
      'disabledEndpointMail',
      disabledEndpointMail(member, 'https://hooks.example.com/in', 'it responded with 410 Gone', `${page}/webhooks/1`),
    ],
    ['endingKeyMail', endingKeyMail(member, key, NOW, `${page}/keys/1`, 'org.developer.keys.manage')],
  ]);
}
