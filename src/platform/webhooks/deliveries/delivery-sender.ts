import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { inWork } from '../../../kit/internal.js';
import { SecretBox } from '../../config/secret-box.js';
import { TaskWork } from '../../logging/task-work.js';
import { WorkLines } from '../../logging/work-lines.js';
import { Metrics } from '../../metrics/metrics.js';
import { OutboundSwitch } from '../../outbound/outbound-switch.js';
import { BatchWriter } from '../../persistence/batches/batch-writer.js';
import { QueueWorker, type WorkQueue } from '../../queue/queue-worker.js';
import { headersOf } from '../sending/delivery-headers.js';
import { DELIVERY_QUEUE } from '../sending/delivery-queue.js';
import { retryAfterMs, waitAfter } from '../sending/backoff.js';
import { DeliveryClaims, type ClaimedDelivery } from './delivery-claims.js';
import { DeliveryResults, type DeliveryResult } from './delivery-results.js';
import { DUE_DELIVERIES } from './oldest-due-delivery.js';
import { DeliveryShares } from './delivery-shares.js';
import { headersOwner } from '../endpoints/own-headers.js';
import { EndpointHealth, type Pause } from '../endpoints/endpoint-health.js';
import { Poster, type PostResult } from '../sending/post.js';
import { signatureHeader } from '../sending/signature.js';
import { TargetRules } from '../../net/target-rules.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from '../sending/webhook-settings.js';

const MOST_PER_SETTLE = 200;
/** A response that takes longer is slow. */
const SLOW_MS = 500;
const RATE_CHECK_MS = 200;

/** Sends a worker's deliveries: claims them in batches, sends them concurrently and stores the results in batches. */
@Injectable()
export class DeliverySender implements WorkQueue, OnModuleInit, OnApplicationShutdown {
  readonly name = DELIVERY_QUEUE;
  private readonly sending = new Set<Promise<void>>();
  private readonly shares: DeliveryShares;
  private readonly unsettled: BatchWriter<DeliveryResult>;
  private rateTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly results: DeliveryResults,
    private readonly health: EndpointHealth,
    private readonly rules: TargetRules,
    private readonly poster: Poster,
    private readonly secrets: SecretBox,
    private readonly worker: QueueWorker,
    private readonly metrics: Metrics,
    private readonly outbound: OutboundSwitch,
    private readonly lines: WorkLines,
    @Inject(WEBHOOK_SETTINGS) private readonly settings: WebhookSettings,
  ) {
    this.shares = new DeliveryShares(settings.concurrency);
    this.unsettled = new BatchWriter<DeliveryResult>({
      items: 'results of webhook deliveries',
      write: (batch) => this.settle(batch),
      maxBatch: MOST_PER_SETTLE,
      delayMs: 0,
      // after this time the leases have expired, and the deliveries are attempted again
      retryForMs: settings.leaseMs,
    });
  }

  onModuleInit(): void {
    this.worker.register(this);
    this.metrics.backlog(DUE_DELIVERIES);
  }

  onApplicationShutdown(): Promise<void> {
    clearTimeout(this.rateTimer);
    return this.poster.close();
  }

  async runBatch(): Promise<boolean> {
    if (!this.outbound.isOpen) return false;
    const allowance = this.shares.allowance();
    if (allowance.limit <= 0) return false;
    const claimed = await this.claims.claim(allowance, this.settings.leaseMs);
    for (const delivery of claimed) {
      if (!delivery.wanted) continue;
      const work = workOf(delivery);
      const sent = inWork(work, () => this.attempt(delivery, work)).finally(() => this.sending.delete(sent));
      this.sending.add(sent);
    }
    if (this.claims.someMayBeLeft && claimed.length < allowance.limit) this.returnSoon();
    return claimed.length === allowance.limit;
  }

  /** No notification tells when a rate admits the next delivery, or when another worker has claimed. */
  private returnSoon(): void {
    this.rateTimer ??= setTimeout(() => {
      this.rateTimer = undefined;
      this.worker.notify(this.name);
    }, RATE_CHECK_MS).unref();
  }

  async maintain(): Promise<void> {
    await this.results.release();
    this.claims.expectRetries();
  }

  async drain(): Promise<void> {
    await Promise.all(this.sending);
    await this.unsettled.close();
    await this.health.drain();
  }

  private async attempt(delivery: ClaimedDelivery, work: TaskWork): Promise<void> {
    const slot = this.shares.take(delivery.organization_id, delivery.slow || delivery.failing);
    const late = setTimeout(() => {
      slot.late();
      if (!delivery.slow) this.health.record({ endpointId: delivery.endpoint_id, slow: true });
    }, SLOW_MS);
    const post = await this.send(delivery, work.span?.traceparent ?? delivery.traceparent);
    clearTimeout(late);
    slot.leave();
    const result = this.resultOf(delivery, post);
    this.metrics.workEnded('webhook_delivery', { outcome: result.status }, post.latencyMs);
    this.lines.ended(work, result.status, post.latencyMs, { fields: { status: post.status, error: post.error } });
    work.endSpan(
      { 'work_suite.outcome': result.status, 'http.response.status_code': post.status ?? undefined },
      post.error === null ? null : new Error(post.error),
    );
    this.unsettled.add(result);
  }

  private async send(delivery: ClaimedDelivery, traceparent: string | null): Promise<PostResult> {
    const { endpoint_id, event_id, event_type, url, body, secret, earlier_secrets, headers } = delivery;
    const boxes = [secret, ...earlier_secrets];
    try {
      if (body === null) throw new Error('the event was deleted after its retention period');
      const signature = signatureHeader(
        boxes.map((box) => this.secrets.openCached(box, endpoint_id)),
        body,
        Math.floor(Date.now() / 1000),
      );
      const own =
        headers === null ? {} : (JSON.parse(this.secrets.openCached(headers, headersOwner(endpoint_id))) as Record<string, string>);
      const sent = { ...own, 'Svc-Signature': signature, ...headersOf(event_id, event_type), ...(traceparent !== null && { traceparent }) };
      return await this.poster.post(this.rules.checkUrl(url), sent, body);
    } catch (error) {
      return { startedAt: new Date(), latencyMs: 0, status: null, headers: null, body: null, error: (error as Error).message };
    }
  }

  private resultOf(delivery: ClaimedDelivery, post: PostResult): DeliveryResult {
    const base = {
      id: delivery.id,
      endpointId: delivery.endpoint_id,
      attempt: delivery.attempt_count,
      wasFailing: delivery.failing,
      wasSlow: delivery.slow,
      post,
      waitMs: 0,
    };
    if (post.error === null) return { ...base, status: 'delivered', error: null };
    const wait = post.status === 410 ? null : waitAfter(this.settings.schedule, delivery.tries, askedPause(post));
    return wait === null
      ? { ...base, status: 'failed', error: post.error }
      : { ...base, status: 'waiting', waitMs: wait, error: post.error };
  }

  private async settle(batch: readonly DeliveryResult[]): Promise<void> {
    await this.results.settle(batch);
    for (const result of batch) this.noteNews(result);
    this.worker.notify(this.name);
  }

  /** Records only changes: a success of a healthy endpoint does not write its row. */
  private noteNews({ endpointId, post, wasFailing, wasSlow }: DeliveryResult): void {
    const works = post.error === null;
    const slow = post.latencyMs > SLOW_MS;
    const pause = pauseOf(post, this.settings.schedule.capMs);
    if (!works || wasFailing || (wasSlow && !slow)) this.health.record({ endpointId, works, slow, gone: post.status === 410, pause });
  }
}

function workOf({ id, organization_id, endpoint_id, event_id, attempt_count, traceparent }: ClaimedDelivery): TaskWork {
  const fields = { delivery_id: id, event_id, endpoint_id, attempt: attempt_count, organization_id };
  return new TaskWork('webhook delivery', fields).beginSpan({ parent: traceparent, kind: 'client' });
}

/** The pause that the receiver asks for, of all deliveries, in milliseconds. */
function askedPause({ status, headers }: PostResult): number | null {
  return status === 429 || status === 503 ? retryAfterMs(headers?.['retry-after']) : null;
}

function pauseOf(post: PostResult, capMs: number): Pause | undefined {
  const ms = Math.min(askedPause(post) ?? 0, capMs);
  return ms > 0
    ? { ms, reason: `The receiver answered ${post.status} with Retry-After: ${[post.headers?.['retry-after']].flat().join(', ')}.` }
    : undefined;
}
