import { RESTORABLE_DAYS } from '../kit/index.js';
import type { RetentionRule } from '../kit/internal.js';
import { KEPT_DAYS } from './request-log/kept-bodies.js';
import { daysOfPartition } from './persistence/partitions/partitions.js';
import type { AppConfig } from './config/settings.js';

type RetentionSettings = Pick<AppConfig, 'idempotencyRetentionHours' | 'requestLogRetentionDays' | 'webhookRetentionDays'>;

const JOBS_DAYS = 7;

/** The retention rules of the platform's tables; modules declare theirs in their manifests. */
export function platformRetention(config: RetentionSettings): RetentionRule[] {
  const webhooks = { columnType: 'uuidv7', keepDays: config.webhookRetentionDays, partitioned: true } as const;
  // a claim of deliveries visits all their partitions; attempts and events go with the deliveries
  const deliveries = { ...webhooks, partitions: 4 };
  return [
    { table: 'idempotency_records', column: 'created_at', keepDays: config.idempotencyRetentionHours / 24 },
    { table: 'request_logs', column: 'id', columnType: 'uuidv7', keepDays: config.requestLogRetentionDays, partitioned: true },
    { table: 'request_log_days', column: 'start_at', keepDays: config.requestLogRetentionDays },
    { table: 'request_log_counts', column: 'day', keepDays: config.requestLogRetentionDays },
    { table: 'request_bodies', column: 'created_at', keepDays: KEPT_DAYS, partitioned: true },
    // with their rows, which may be files
    { table: 'deleted_records', column: 'created_at', keepDays: RESTORABLE_DAYS, batch: 500 },
    { table: 'webhook_attempts', column: 'delivery_id', ...deliveries },
    { table: 'webhook_deliveries', column: 'id', ...deliveries },
    { table: 'outbox_events', column: 'id', ...deliveries },
    { table: 'mails', column: 'id', ...webhooks },
    // a day longer than the mails that carry them, which go with their partition
    {
      table: 'mail_files',
      column: 'used_at',
      keepDays: config.webhookRetentionDays + daysOfPartition(config.webhookRetentionDays) + 1,
    },
    { table: 'jobs', column: 'due_at', keepDays: JOBS_DAYS, where: `status <> 'due'` },
    { table: 'sessions', column: 'expires_at', keepDays: 0 },
    { table: 'password_resets', column: 'expires_at', keepDays: 0 },
    { table: 'password_reset_requests', column: 'created_at', keepDays: 1 },
    { table: 'member_invitations', column: 'expires_at', keepDays: 30 },
    { table: 'api_key_end_notices', column: 'expires_at', keepDays: 0 },
    { table: 'sign_in_failures', column: 'window_ends_at', keepDays: 0 },
    { table: 'oauth_records', column: 'expires_at', keepDays: 0 },
    { table: 'oauth_clients', column: 'expires_at', keepDays: 0 },
  ];
}
