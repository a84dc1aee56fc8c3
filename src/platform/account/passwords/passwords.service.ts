import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, Contexts, Mails, newToken, Store, tokenHash, type Ctx, type Tx } from '../../../kit/index.js';
import { BaseUrl } from '../../config/base-url.js';
import { HAS_MAIL_SERVER } from '../../mail/mail-outbox.js';
import { normalizeEmail } from '../../people/model/member.dto.js';
import { Member } from '../../people/model/member.entity.js';
import { hashPassword } from '../../people/model/passwords.js';
import { PasswordCheck } from '../../people/sessions/password-check.js';
import { SessionsService } from '../../people/sessions/sessions.service.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { poolOf } from '../../persistence/database/pool.js';
import type { ChangePasswordDto, CompletePasswordResetDto } from './passwords.dto.js';

const LINK_MINUTES = 60;
const LINKS_PER_HOUR = 3;
/** A person can be a member of several organizations; each account gets a link of its own. */
const MOST_MEMBERSHIPS = 10;
/** Longer than the work for a known address takes, so that the time of the answer does not tell whether it is known. */
const ANSWER_AFTER_MS = 300;

interface Account {
  member_id: string;
  organization_id: string;
  organization: string;
}

/** Passwords that members set themselves: with the current one, or with a mailed link. */
@Injectable()
export class PasswordsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly mails: Mails,
    private readonly sessions: SessionsService,
    private readonly check: PasswordCheck,
    private readonly baseUrl: BaseUrl,
    @Inject(HAS_MAIL_SERVER) readonly sendsMail: boolean,
  ) {}

  /** Returns the number of other sessions, which end. */
  async change(ctx: CallContext, { current_password, new_password }: ChangePasswordDto, address: string): Promise<number> {
    await this.check.require(ctx, current_password, address, 'current_password');
    if (new_password === current_password)
      throw CommonErrors.validationFailed({ param: 'new_password', message: 'new_password must differ from the current one' });
    const password_hash = await hashPassword(new_password);
    return this.store.write(ctx, (tx) =>
      this.set(ctx, tx, ctx.memberId as string, password_hash, ctx.session?.id ?? null, 'was changed in the developer area'),
    );
  }

  /** Mails a link to each active account with the address. Takes the same time whether there is one. */
  async request(email: string): Promise<void> {
    const answered = new Promise((resolve) => setTimeout(resolve, ANSWER_AFTER_MS));
    await Promise.all([this.mailLinks(normalizeEmail(email)), answered]);
  }

  private async mailLinks(email: string): Promise<void> {
    // a link in the outbox, which colleagues may read, would let them take over the account
    if (!this.sendsMail) return;
    const { rows } = await poolOf(this.dataSource).query<Account>(
      `SELECT m.id AS member_id, m.organization_id, o.name AS organization FROM members m JOIN organizations o ON o.id = m.organization_id
       WHERE m.email = $1 AND m.status = 'active' ORDER BY m.created_at, m.id LIMIT ${MOST_MEMBERSHIPS}`,
      [email],
    );
    for (const account of rows) await this.mailLink(email, account);
  }

  private mailLink(email: string, { member_id, organization_id, organization }: Account): Promise<void> {
    const ctx = this.contexts.system({ organizationId: organization_id, projectId: null, mode: 'live' });
    const { token, hash } = newToken();
    return this.store.write(ctx, async (tx) => {
      // concurrent requests must not exceed the limit
      await tx.lock(Member, member_id);
      const recent = await tx.query(`SELECT 1 FROM password_resets WHERE member_id = $1 AND expires_at > now()`, [member_id]);
      if (recent.length >= LINKS_PER_HOUR) return;
      await tx.query(
        `INSERT INTO password_resets (token_hash, organization_id, member_id, expires_at)
         VALUES ($1, $2, $3, now() + $4 * interval '1 minute')`,
        [hash, organization_id, member_id, LINK_MINUTES],
      );
      await this.mails.send(ctx, tx, {
        to: email,
        subject: `New password for ${organization}`,
        text:
          `Somebody asked for a new password for your account at ${organization}.\n\n` +
          `Set it here within ${LINK_MINUTES} minutes; the link works once:\n${this.baseUrl.value}/console/reset?token=${token}\n\n` +
          'If it was not you, ignore this mail: your password stays as it is.\n',
        confidential: true,
        permission: null,
      });
    });
  }

  /** Sets a new password by a mailed link and ends all sessions of the account. */
  async complete({ token, password }: CompletePasswordResetDto): Promise<void> {
    const hash = tokenHash(token);
    const found =
      hash &&
      (await this.contexts.findAcrossTenants<Pick<Account, 'member_id' | 'organization_id'>>(
        `SELECT member_id, organization_id FROM password_resets WHERE token_hash = $1 AND expires_at > now()`,
        [hash],
      ));
    if (!found) throw linkInvalid();
    const password_hash = await hashPassword(password);
    const ctx = this.contexts.system({ organizationId: found.organization_id, projectId: null, mode: 'live' });
    await this.store.write(ctx, async (tx) => {
      const member = await tx.lock(Member, found.member_id);
      const used = await tx.query(`DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > now() RETURNING member_id`, [hash]);
      if (used.length === 0 || member.status !== 'active') throw linkInvalid();
      await this.set(ctx, tx, member.id, password_hash, null, 'was set with a link that was mailed to you');
    });
  }

  private async set(ctx: Ctx, tx: Tx, memberId: string, password_hash: string, keptSession: string | null, how: string): Promise<number> {
    const member = await tx.update(await tx.lock(Member, memberId), { password_hash });
    const ended = await this.sessions.closeAllOf(tx, memberId, keptSession);
    // a member in test mode gets this mail, too
    await this.mails.send(this.contexts.system({ organizationId: ctx.organizationId, projectId: null, mode: 'live' }), tx, {
      to: member.email,
      subject: 'Your password was changed',
      text:
        `The password of your account ${member.email} ${how}. Other sessions were ended.\n\n` +
        `If it was not you, ask for a new password at ${this.baseUrl.value}/console/reset and tell whoever manages your ` +
        `organization's members.\n`,
      permission: null,
    });
    return ended;
  }
}

function linkInvalid(): Error {
  return CommonErrors.validationFailed({
    param: 'token',
    message: 'The link was used already, was replaced or has expired; ask for a new one',
  });
}
