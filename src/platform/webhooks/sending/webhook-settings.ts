import type { AppConfig } from '../../config/settings.js';
import type { RetrySchedule } from './backoff.js';
import type { TargetPolicy } from '../../net/target-rules.js';

export const WEBHOOK_SETTINGS = Symbol('webhook settings');

export interface WebhookSettings {
  concurrency: number;
  timeoutMs: number;
  leaseMs: number;
  schedule: RetrySchedule;
  attempts: number;
  disableAfterHours: number;
  retentionDays: number;
  targets: TargetPolicy;
}

export function webhookSettings(config: AppConfig): WebhookSettings {
  return {
    concurrency: config.webhookConcurrency,
    timeoutMs: config.webhookTimeoutMs,
    leaseMs: config.webhookLeaseMs,
    attempts: config.webhookAttempts,
    disableAfterHours: config.webhookDisableAfterHours,
    retentionDays: config.webhookRetentionDays,
    schedule: {
      attempts: config.webhookAttempts,
      firstWaitMs: config.webhookBackoffMs,
      factor: config.webhookBackoffFactor,
      capMs: config.webhookBackoffCapMs,
    },
    targets: {
      allowHttp: config.nodeEnv !== 'production',
      allowLoopback: config.nodeEnv === 'development',
      allowedRanges: config.webhookAllowedRanges,
    },
  };
}
