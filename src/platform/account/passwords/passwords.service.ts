import { Injectable } from '@nestjs/common';
import { CommonErrors, Contexts, invalid, Mails, sql, Store, tokenHash, type Ctx, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { BaseUrl } from '../../config/base-url.js';
import { CONSOLE_PATHS } from '../../config/console-paths.js';
import { Member } from '../../people/model/member.entity.js';
import { hashPassword } from '../../people/model/passwords.js';
import { PasswordCheck } from '../../people/sessions/password-check.js';
import { endSessionsOf } from '../../people/model/end-sessions.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { passwordChangedMail } from '../mails/account-mails.js';
import type { ChangePasswordDto, CompletePasswordResetDto, OpenedPasswordResetDto } from './passwords.dto.js';

/** The account whose password a link sets. */
interface LinkOwner {
  member_id: string;
  organization_id: string;
  organization: string;
  email: string;
}

/** Passwords that members set themselves: with the current one, or with a mailed link. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly mails: Mails,
    private readonly check: PasswordCheck,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Returns the number of other sessions, which end. */
  async change(ctx: CallContext, { current_password, new_password }: ChangePasswordDto, address: string): Promise<number> {
    await this.check.require(ctx, current_password, address, 'current_password');
    if (new_password === current_password) throw invalid('new_password', 'must differ from the current one');
    const password_hash = await hashPassword(new_password);
    return this.store.write(ctx, (tx) =>
      this.set(ctx, tx, ctx.memberId as string, password_hash, ctx.session?.id ?? null, 'was changed in the developer area'),
    );
  }

  async open(token: string): Promise<OpenedPasswordResetDto> {
    const { organization, email } = await this.find(token);
    return { object: 'opened_password_reset', organization, email };
  }

  /** Sets a new password by a mailed link and ends all sessions of the account. */
  async complete({ token, password }: CompletePasswordResetDto): Promise<void> {
    const found = await this.find(token);
    const password_hash = await hashPassword(password);
    const ctx = this.contexts.system({ organizationId: found.organization_id, projectId: null, mode: 'live' });
    await this.store.write(ctx, async (tx) => {
      const member = await tx.lock(Member, found.member_id);
      const used = await tx.sql(
        platformSql(`DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > now() RETURNING member_id`, [tokenHash(token)]),
      );
      if (used.length === 0 || member.status !== 'active') throw linkInvalid();
      await this.set(ctx, tx, member.id, password_hash, null, 'was set with a link that was mailed to you');
    });
  }

  private async find(token: string): Promise<LinkOwner> {
    const hash = tokenHash(token);
    const found =
      hash &&
      (await this.contexts.findAcrossTenants<LinkOwner>(
        sql.unscoped('the member to whom a link was sent')`
          SELECT r.member_id, r.organization_id, o.name AS organization, m.email
          FROM password_resets r JOIN members m ON m.id = r.member_id JOIN organizations o ON o.id = r.organization_id
          WHERE r.token_hash = ${hash} AND r.expires_at > now() AND m.status = 'active'`,
      ));
    if (!found) throw linkInvalid();
    return found;
  }

  private async set(ctx: Ctx, tx: Tx, memberId: string, password_hash: string, keptSession: string | null, how: string): Promise<number> {
    const member = await tx.update(await tx.lock(Member, memberId), { password_hash });
    const ended = await endSessionsOf(tx, memberId, keptSession);
    // a member in test mode gets this mail, too
    const mail = passwordChangedMail(member.email, how, `${this.baseUrl.value}${CONSOLE_PATHS.reset}`);
    await this.mails.send(this.contexts.system({ organizationId: ctx.organizationId, projectId: null, mode: 'live' }), tx, mail);
    return ended;
  }
}

function linkInvalid(): Error {
  return CommonErrors.validationFailed({
    param: 'token',
    message: 'The link was used already, was replaced or has expired; ask for a new one',
  });
}
