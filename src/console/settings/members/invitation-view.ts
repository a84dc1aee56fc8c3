import { html, redirect } from '../../../kit/index.js';
import type { SentInvitationDto } from '../../../platform/account/invitations/invitations.dto.js';
import type { ProductCall } from '../../calls/product-calls.js';
import { secretView } from '../../components/blocks.js';
import type { PageResult } from '../../frame/page-definition.js';
import { CallFailed } from '../../frame/refusals.js';
import type { Visit } from '../../frame/visit.js';

const MEMBERS = '/settings/members';

/** Sends an invitation: by mail, or with a page that shows its link once, where no mail server is set. */
export async function sentView(visit: Visit, call: ProductCall, notice: 'invited' | 'resent'): Promise<PageResult> {
  const response = await visit.send<SentInvitationDto>(call);
  if (!response.body) throw new CallFailed(`${call.method} ${call.path}`, response);
  const { link, name, email } = response.body;
  const isRepeated = response.headers['idempotent-replayed'] === 'true';
  // a repeated response has no link, mailed or not
  if (link === null && !isRepeated) return redirect(visit.link(MEMBERS, { done: notice }));
  return secretView({
    title: 'Invitation link',
    label: `Link for ${name}`,
    secret: link,
    advice: html`No mail server is set up, so hand this link to ${name} (${email}) yourself, on a channel that only they read. It works
once, for seven days: whoever opens it chooses the password.`,
    above: [{ path: MEMBERS, label: 'Members' }],
    next: visit.link(MEMBERS),
    lost: 'If you no longer have the link, send the invitation again: that makes a new one.',
  });
}
