import { ERASED_NAME, type Ctx, type Tx } from '../../../kit/index.js';
import { addressPattern, platformSql } from '../../../kit/internal.js';
import type { ErasedRows } from './erase-rows.js';

/** By the address alone, in lower case: others can have the name. */
type PlatformRule = (ctx: Ctx, tx: Tx, email: string) => Promise<ErasedRows[]>;

const rowsOf = (title: string, erased: number, kept = 0, why: string | null = null): ErasedRows => ({
  module: null,
  title,
  erased,
  kept,
  why: kept > 0 ? why : null,
});

/** `$1` is the organization; `valuesOf` makes the other values. */
function deleting(title: string, text: string, valuesOf = (email: string) => [addressPattern(email)]): PlatformRule {
  return async ({ organizationId }, tx, email) => {
    const [{ deleted }] = await tx.sql<{ deleted: number }>(platformSql(text, [organizationId, ...valuesOf(email)]));
    return [rowsOf(title, deleted)];
  };
}

/** What the platform itself stores about people. */
export const PLATFORM_RULES: readonly PlatformRule[] = [
  async ({ organizationId }, tx, email) => {
    const values = [organizationId, email];
    const erased = await tx.sql(
      platformSql(
        `UPDATE members SET name = $3, email = 'erased-' || id || '@erased.invalid', password_hash = '', last_sign_in_at = NULL,
           version = version + 1, updated_at = now()
         WHERE organization_id = $1 AND email = $2 AND status = 'inactive' RETURNING 1`,
        [...values, ERASED_NAME],
      ),
    );
    const active = await tx.sql(platformSql('SELECT FROM members WHERE organization_id = $1 AND email = $2', values));
    return [rowsOf('members', erased.length, active.length, 'An active member: deactivate them first.')];
  },
  deleting(
    'invitations of members',
    `WITH gone AS (DELETE FROM member_invitations WHERE organization_id = $1 AND lower(email) = $2 RETURNING 1)
     SELECT count(*)::int AS deleted FROM gone`,
    (email) => [email],
  ),
  deleting(
    'mails',
    `WITH gone AS (
       DELETE FROM mails WHERE organization_id = $1 AND (status <> 'queued' OR lower(recipient) = $3)
         AND lower(concat_ws(' ', recipient, shown_to, cc::text, reply_to, sender_name, subject, text, html, calendar, files::text, error))
           ~ $2 RETURNING 1)
     SELECT count(*)::int AS deleted FROM gone`,
    (email) => [addressPattern(email), email],
  ),
  deleting(
    'events, with their deliveries',
    `WITH gone AS (
       DELETE FROM outbox_events WHERE organization_id = $1 AND lower(body::text) ~ $2 RETURNING id
     ), deliveries AS (
       DELETE FROM webhook_deliveries d USING gone WHERE d.event_id = gone.id RETURNING d.id
     ), attempts AS (
       DELETE FROM webhook_attempts a USING deliveries d WHERE a.delivery_id = d.id
     )
     SELECT count(*)::int AS deleted FROM gone`,
  ),
  // or restoring it would bring the person back
  deleting(
    'deleted records that could be restored',
    `WITH gone AS (
       DELETE FROM deleted_records d WHERE d.organization_id = $1 AND (lower(d.title) ~ $2
         OR EXISTS (SELECT FROM deleted_rows r WHERE r.deleted_record_id = d.id AND lower(r.rows::text) ~ $2)) RETURNING 1)
     SELECT count(*)::int AS deleted FROM gone`,
  ),
  deleting(
    'jobs that are done',
    `WITH gone AS (
       DELETE FROM jobs WHERE organization_id = $1 AND status <> 'due' AND lower(payload::text) ~ $2 RETURNING 1)
     SELECT count(*)::int AS deleted FROM gone`,
  ),
];
