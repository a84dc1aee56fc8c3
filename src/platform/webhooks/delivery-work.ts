import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { WorkLoops, type DueWork } from '../queue/work-loops.js';
import { retryAfterMs, waitAfter } from './backoff.js';
import { DeliveryClaims, type ClaimedDelivery } from './delivery-claims.js';
import { DeliveryResults, type DeliveryResult } from './delivery-results.js';
import { EndpointSwitch } from './endpoint-switch.js';
import { Poster, type PostResult } from './post.js';
import { SecretBox } from './secret-box.js';
import { signatureHeader } from './signature.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhook-settings.js';

export const DELIVERIES_WAKE = 'webhooks.deliver';

const MOST_PER_CLAIM = 200;
const MOST_PER_SETTLE = 200;
const SETTLE_AGAIN_MS = 500;

/** A worker's deliveries: claimed in batches, sent side by side, settled in batches. */
@Injectable()
export class DeliveryWork implements DueWork, OnModuleInit, OnApplicationShutdown {
  readonly name = DELIVERIES_WAKE;
  private readonly log = new Logger('Webhooks');
  private readonly sending = new Set<Promise<void>>();
  private unsettled: DeliveryResult[] = [];
  private settling: Promise<void> | undefined;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly results: DeliveryResults,
    private readonly endpoints: EndpointSwitch,
    private readonly poster: Poster,
    private readonly secrets: SecretBox,
    private readonly loops: WorkLoops,
    @Inject(WEBHOOK_SETTINGS) private readonly settings: WebhookSettings,
  ) {}

  onModuleInit(): void {
    this.loops.register(this);
  }

  onApplicationShutdown(): Promise<void> {
    return this.poster.close();
  }

  async turn(): Promise<boolean> {
    const free = Math.min(this.settings.concurrency - this.sending.size, MOST_PER_CLAIM);
    if (free <= 0) return false;
    const claimed = await this.claims.claim(free, this.settings.leaseMs);
    for (const delivery of claimed) {
      const sent = this.attempt(delivery).finally(() => this.sending.delete(sent));
      this.sending.add(sent);
    }
    return claimed.length === free;
  }

  async maintain(): Promise<void> {
    await this.results.release(this.settings.attempts);
    this.claims.expectRetries();
  }

  async drain(): Promise<void> {
    await Promise.all(this.sending);
    await this.settling;
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const post = delivery.wanted ? await this.send(delivery) : null;
    this.unsettled.push(this.resultOf(delivery, post));
    this.settling ??= this.settle();
  }

  private async send({ endpoint_id, event_id, event_type, url, body, secret, previous_secret }: ClaimedDelivery): Promise<PostResult> {
    const boxes = [secret, previous_secret].filter((box) => box !== null);
    try {
      if (body === null) throw new Error('the event is older than the retention');
      const signature = signatureHeader(boxes.map((box) => this.secrets.open(box, endpoint_id)), body, Math.floor(Date.now() / 1000));
      return await this.poster.post(this.endpoints.rules.checkUrl(url as string), headersOf(event_id, event_type, signature), body);
    } catch (error) {
      return { startedAt: new Date(), latencyMs: 0, status: null, headers: null, body: null, error: (error as Error).message };
    }
  }

  private resultOf(delivery: ClaimedDelivery, post: PostResult | null): DeliveryResult {
    const base = { id: delivery.id, endpointId: delivery.endpoint_id, attempt: delivery.attempt_count, wasFailing: delivery.failing, post, waitMs: 0 };
    if (!post) return { ...base, status: 'failed', error: 'the endpoint is disabled' };
    if (post.error === null) return { ...base, status: 'delivered', error: null };
    const asked = post.status === 429 || post.status === 503 ? retryAfterMs(post.headers?.['retry-after'] as string | undefined) : null;
    const wait = post.status === 410 ? null : waitAfter(this.settings.schedule, delivery.tries, asked);
    return wait === null ? { ...base, status: 'failed', error: post.error } : { ...base, status: 'waiting', waitMs: wait, error: post.error };
  }

  /** Settles what has come together, again and again until nothing is left; a database that is away is asked until leases end. */
  private async settle(): Promise<void> {
    // what ends in the same moment goes together
    await new Promise((resolve) => setImmediate(resolve));
    const deadline = () => Date.now() + this.settings.leaseMs;
    let giveUpAt = deadline();
    while (this.unsettled.length > 0) {
      const batch = this.unsettled.splice(0, MOST_PER_SETTLE);
      try {
        await this.results.settle(batch);
        giveUpAt = deadline();
        await this.look(batch);
      } catch (error) {
        if (Date.now() > giveUpAt) {
          this.log.warn(`${batch.length} results could not be written, so these deliveries are made again: ${(error as Error).message}`);
          continue;
        }
        this.unsettled.unshift(...batch);
        await new Promise((resolve) => setTimeout(resolve, SETTLE_AGAIN_MS));
      }
      this.loops.wake(this.name);
    }
    this.settling = undefined;
  }

  /** Draws the conclusions about the endpoints: 410 means never again, and long failing means the same. */
  private async look(batch: readonly DeliveryResult[]): Promise<void> {
    const gone = new Set(batch.filter(({ post }) => post?.status === 410).map(({ endpointId }) => endpointId));
    for (const id of gone) await this.endpoints.disable(id, 'gone');
    const overdue = await this.results.noteHealth(this.healthOf(batch), this.settings.disableAfterHours);
    for (const id of overdue) await this.endpoints.disable(id, 'failing');
  }

  /** Only what is news: a healthy endpoint's thousand successes write nothing to its row. */
  private healthOf(batch: readonly DeliveryResult[]): Map<string, boolean> {
    const works = new Set(batch.filter(({ status }) => status === 'delivered').map(({ endpointId }) => endpointId));
    const news = batch.filter(({ post, wasFailing }) => post !== null && (post.error !== null || wasFailing));
    return new Map(news.map(({ endpointId }) => [endpointId, works.has(endpointId)]));
  }
}

function headersOf(eventId: string, eventType: string, signature: string): Record<string, string> {
  return { 'Svc-Signature': signature, 'Svc-Event-Id': eventId, 'Svc-Event-Type': eventType, 'User-Agent': 'Svc-Webhooks/1.0', 'Content-Type': 'application/json; charset=utf-8' };
}
