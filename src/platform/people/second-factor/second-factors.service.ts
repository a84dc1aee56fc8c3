import { randomBytes } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, invalid, Mails, organizationName, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { SecretBox } from '../../config/secret-box.js';
import { poolOf } from '../../persistence/database/pool.js';
import { run } from '../../persistence/rows/reader.js';
import { systemContext, type CallContext } from '../../persistence/transactions/call-context.js';
import { Member } from '../model/member.entity.js';
import { PermissionRegistry } from '../../registry/permission-registry.js';
import { SignInFailures } from '../failures/sign-in-failures.js';
import { endSessionsOf } from '../model/end-sessions.js';
import { newRecoveryCodes, normalizeRecoveryCode } from './recovery-codes.js';
import { secondFactorMail } from './second-factor-mail.js';
import { base32, otpauthUri, stepOf } from './totp.js';

const SECRET_BYTES = 20;

/** Runs a statement on the pool, or in a transaction, and returns its rows. */
type Query = <R extends object>(text: string, values: readonly unknown[]) => Promise<R[]>;

export interface SecondFactorState {
  enabledAt: Date | null;
  recoveryCodesLeft: number;
  /** Whether the organization requires one for the member's role. */
  required: boolean;
}

/** Second factors of members: an authenticator app, and ten recovery codes. */
@Injectable()
export class SecondFactors {
  private readonly pooled: Query;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly store: Store,
    private readonly box: SecretBox,
    private readonly failures: SignInFailures,
    private readonly known: PermissionRegistry,
    // command-line callers have no session
    @Optional() private readonly mails?: Mails,
  ) {
    this.pooled = async <R extends object>(text: string, values: readonly unknown[]) =>
      (await run<R>(poolOf(dataSource), { text, values: [...values] })).rows;
  }

  state({ memberId }: Ctx): Promise<SecondFactorState> {
    return stateOf(this.known, this.pooled, memberId as string);
  }

  /** Creates a new secret, which takes effect only after `enable`. */
  setUp(ctx: Ctx): Promise<{ secret: string; uri: string }> {
    const secret = randomBytes(SECRET_BYTES);
    return this.store.write(ctx, async (tx) => {
      const member = await this.memberOf(ctx, tx);
      if (member.second_factor_at)
        throw CommonErrors.resourceConflict({ message: 'You have a second factor already; remove it before you set up another one.' });
      await tx.sql(
        platformSql(
          `INSERT INTO second_factors (member_id, organization_id, secret) VALUES ($1, $2, $3)
         ON CONFLICT (member_id) DO UPDATE SET secret = excluded.secret, last_step = 0, recovery_hashes = '{}'`,
          [member.id, ctx.organizationId, this.box.seal(secret.toString('base64'), member.id)],
        ),
      );
      const name = await organizationName(tx);
      return { secret: base32(secret), uri: otpauthUri(secret, name, member.email) };
    });
  }

  /** Turns it on with the first code of the app and ends the member's other sessions; returns the recovery codes. */
  async enable(ctx: CallContext, code: string): Promise<string[]> {
    const memberId = ctx.memberId as string;
    await this.failures.chargeCode(memberId);
    const codes = await this.store.write(ctx, async (tx) => {
      // under the lock, so that the secret whose code was sent is the one that is enabled
      const member = await this.memberOf(ctx, tx);
      if (!(await this.isValid((text, values) => tx.sql(platformSql(text, values)), memberId, code))) throw wrongCode();
      if (!member.second_factor_at) {
        await tx.update(member, { second_factor_at: tx.startedAt });
        await endSessionsOf(tx, memberId, ctx.session?.id ?? null);
        await this.tell(tx, member, 'Your second factor is on', 'now asks for a code of an authenticator app at each sign-in');
      }
      return this.replaceCodes(tx, memberId);
    });
    await this.failures.forgiveCode(memberId);
    return codes;
  }

  renewCodes(ctx: Ctx): Promise<string[]> {
    return this.store.write(ctx, async (tx) => {
      const member = await this.memberOf(ctx, tx);
      if (!member.second_factor_at) throw CommonErrors.resourceConflict({ message: 'You have no second factor; set one up first.' });
      tx.advanced.audit({ objectType: 'second_factor', objectId: member.id, action: 'recovery_codes_replaced' });
      await this.tell(tx, member, 'Your recovery codes were replaced', 'has new recovery codes; the earlier ones no longer work');
      return this.replaceCodes(tx, member.id);
    });
  }

  disable(ctx: Ctx): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const member = await this.memberOf(ctx, tx);
      if ((await stateOf(this.known, (text, values) => tx.sql(platformSql(text, values)), member.id)).required)
        throw CommonErrors.resourceConflict({
          message: 'Your organization requires a second factor for your role, so it cannot be removed.',
        });
      await this.remove(tx, member);
    });
  }

  /** Also for members who lost their phone and their recovery codes. */
  async remove(tx: Tx, member: Member): Promise<Member> {
    await tx.sql(platformSql('DELETE FROM second_factors WHERE member_id = $1', [member.id]));
    if (member.second_factor_at)
      await this.tell(tx, member, 'Your second factor was removed', 'can be signed in to with its password alone');
    return tx.update(member, { second_factor_at: null });
  }

  /**
   * Throws `validation_failed` that names `code` if it is neither a current code of the member's app nor one of the recovery codes
   * that are left. Five wrong codes in 15 minutes are followed by `rate_limited`. `refused` is told how many of these it is.
   */
  async verify(memberId: string, code: string, refused: (failures: number) => void): Promise<void> {
    const failures = await this.failures.chargeCode(memberId);
    if (!(await this.isValid(this.pooled, memberId, code))) {
      refused(failures);
      throw wrongCode();
    }
    await this.failures.forgiveCode(memberId);
  }

  /** Requires a code of a signed-in member who has a second factor. */
  async requireIfEnabled(ctx: Ctx, code: string | undefined, refused: (failures: number) => void): Promise<void> {
    if ((await this.state(ctx)).enabledAt === null) return;
    if (code === undefined)
      throw CommonErrors.missingFields({ param: 'code', message: 'code is required, because you have a second factor' });
    await this.verify(ctx.memberId as string, code, refused);
  }

  /** Also members in test mode get this mail. */
  private async tell(tx: Tx, { email, organization_id }: Member, subject: string, what: string): Promise<void> {
    await this.mails?.send(systemContext(organization_id, 'live'), tx, secondFactorMail(email, subject, what));
  }

  /** Uses the code up. */
  private async isValid(query: Query, memberId: string, code: string): Promise<boolean> {
    const [factor] = await query<{ secret: Buffer }>('SELECT secret FROM second_factors WHERE member_id = $1', [memberId]);
    if (!factor) return false;
    const step = stepOf(Buffer.from(this.box.open(factor.secret, memberId), 'base64'), code.replace(/\s/g, ''), new Date());
    const used =
      step === null
        ? await query(
            `UPDATE second_factors SET recovery_hashes = array_remove(recovery_hashes, $2)
             WHERE member_id = $1 AND $2 = ANY (recovery_hashes) RETURNING member_id`,
            [memberId, this.hashOf(memberId, code)],
          )
        : await query(`UPDATE second_factors SET last_step = $2 WHERE member_id = $1 AND last_step < $2 RETURNING member_id`, [
            memberId,
            step,
          ]);
    return used.length === 1;
  }

  private async replaceCodes(tx: Tx, memberId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => this.hashOf(memberId, code));
    const replaced = await tx.sql(
      platformSql('UPDATE second_factors SET recovery_hashes = $2 WHERE member_id = $1 RETURNING member_id', [memberId, hashes]),
    );
    // codes that are not stored would lock the member out
    if (replaced.length !== 1) throw new Error(`Member ${memberId} has a second factor without a secret.`);
    return codes;
  }

  private hashOf(memberId: string, code: string): Buffer {
    return this.box.mac(`recovery code:${memberId}:${normalizeRecoveryCode(code)}`);
  }

  private memberOf(ctx: Ctx, tx: Tx): Promise<Member> {
    return tx.lock(Member, ctx.memberId as string);
  }
}

async function stateOf(known: PermissionRegistry, query: Query, memberId: string): Promise<SecondFactorState> {
  const [{ enabled_at, codes, requires, permissions }] = await query<{
    enabled_at: Date | null;
    codes: number | null;
    requires: boolean;
    permissions: string[];
  }>(
    `SELECT m.second_factor_at AS enabled_at, cardinality(f.recovery_hashes) AS codes, o.requires_second_factor AS requires, r.permissions
     FROM members m JOIN roles r ON r.id = m.role_id JOIN organizations o ON o.id = m.organization_id
     LEFT JOIN second_factors f ON f.member_id = m.id WHERE m.id = $1`,
    [memberId],
  );
  return {
    enabledAt: enabled_at,
    recoveryCodesLeft: enabled_at ? (codes ?? 0) : 0,
    required: requires && known.needSecondFactor(permissions),
  };
}

function wrongCode(): Error {
  return invalid('code', 'must be the current code of your authenticator app, or an unused recovery code');
}
