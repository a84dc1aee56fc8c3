import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchWriter } from '../../persistence/batches/batch-writer.js';
import { poolOf } from '../../persistence/database/pool.js';
import { EndpointSwitch } from './endpoint-switch.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from '../sending/webhook-settings.js';

/** An observation of an endpoint. */
export interface EndpointObservation {
  endpointId: string;
  /** Whether a delivery succeeded; undefined: not known. */
  works?: boolean;
  /** Whether responses are slow. */
  slow?: boolean;
  /** It responded with 410. */
  gone?: boolean;
  /** The pause that its response asked for. */
  pause?: Pause;
}

/** For how long a receiver asked not to be called, and how. */
export interface Pause {
  ms: number;
  reason: string;
}

const MAX_BATCH = 1_000;

/**
 * Stores whether endpoints are failing or slow, for the claims of all workers, and disables those that are gone or have failed
 * for too long. Separate from the results: disabling an endpoint with a long backlog must not delay them.
 */
@Injectable()
export class EndpointHealth {
  private readonly observations: BatchWriter<EndpointObservation>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointSwitch,
    @Inject(WEBHOOK_SETTINGS) private readonly settings: WebhookSettings,
  ) {
    this.observations = new BatchWriter<EndpointObservation>({
      items: 'observations of webhook endpoints',
      write: (batch) => this.processBatch(batch),
      maxBatch: MAX_BATCH,
      delayMs: 0,
      retryForMs: settings.leaseMs,
    });
  }

  record(observation: EndpointObservation): void {
    this.observations.add(observation);
  }

  drain(): Promise<void> {
    return this.observations.close();
  }

  private async processBatch(batch: readonly EndpointObservation[]): Promise<void> {
    const known = new Map<string, EndpointObservation>();
    for (const { endpointId, works, slow, gone, pause } of batch) {
      const before = known.get(endpointId);
      known.set(endpointId, {
        endpointId,
        works: merged(before?.works, works),
        slow: merged(before?.slow, slow),
        gone: merged(before?.gone, gone),
        pause: (pause?.ms ?? 0) > (before?.pause?.ms ?? 0) ? pause : before?.pause,
      });
    }
    const all = [...known.values()];
    for (const { endpointId, gone } of all) if (gone) await this.endpoints.disable(endpointId, 'gone');
    for (const id of await this.write(all)) await this.endpoints.disable(id, 'failing');
  }

  /** Stores the observations. Resolves to the endpoints that have failed for too long. */
  private async write(observations: readonly EndpointObservation[]): Promise<string[]> {
    const since = (column: string, bad: string) =>
      `${column} = CASE WHEN ${bad} THEN COALESCE(w.${column}, now()) WHEN NOT ${bad} THEN NULL ELSE w.${column} END`;
    const { rows } = await poolOf(this.dataSource).query<{ id: string; overdue: boolean }>(
      `UPDATE webhook_endpoints w
       SET ${since('failing_since', '(NOT o.works)')},
           ${since('slow_since', 'o.slow')},
           held_until = CASE WHEN o.longer THEN o.until ELSE w.held_until END,
           hold_reason = CASE WHEN o.longer THEN o.reason ELSE w.hold_reason END
       FROM (
         SELECT w.id, o.works, o.slow, o.reason, o.until, o.until > COALESCE(w.held_until, now()) AS longer
         FROM unnest($1::uuid[], $2::boolean[], $3::boolean[], $5::bigint[], $6::text[]) AS given(id, works, slow, pause_ms, reason)
         CROSS JOIN LATERAL (
           SELECT given.*, now() + given.pause_ms * interval '1 millisecond' AS until
         ) AS o
         JOIN webhook_endpoints w ON w.id = o.id
         ORDER BY w.id
         FOR NO KEY UPDATE OF w
       ) AS o
       WHERE w.id = o.id AND w.status = 'enabled'
       RETURNING w.id, COALESCE(NOT o.works AND w.failing_since < now() - $4 * interval '1 hour', false) AS overdue`,
      [
        observations.map(({ endpointId }) => endpointId),
        observations.map(({ works }) => works ?? null),
        observations.map(({ slow }) => slow ?? null),
        this.settings.disableAfterHours,
        observations.map(({ pause }) => pause?.ms ?? 0),
        observations.map(({ pause }) => pause?.reason ?? null),
      ],
    );
    return rows.filter(({ overdue }) => overdue).map(({ id }) => id);
  }
}

/** Merges two observations: one success among failures counts as success, one slow response among fast ones as slow. */
function merged(before: boolean | undefined, now: boolean | undefined): boolean | undefined {
  return before === undefined ? now : before || now;
}
