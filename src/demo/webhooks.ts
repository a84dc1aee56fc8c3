import type { INestApplicationContext } from '@nestjs/common';
import type { Ctx, Mode } from '../kit/index.js';
import { WebhookEndpointsQuery } from '../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { WebhookEndpointsService } from '../platform/webhooks/endpoints/webhook-endpoints.service.js';
import { ECHO_TARGET } from './echo-receiver.js';

const MODES: readonly Mode[] = ['live', 'test'];

/** Ensures that the demo has one endpoint per mode with the address at which the server currently listens. */
export async function pointWebhooksHere(app: INestApplicationContext, ctx: Ctx, baseUrl: string): Promise<void> {
  const service = app.get(WebhookEndpointsService);
  const url = `${baseUrl}${ECHO_TARGET}`;
  const { data } = await service.page(ctx, Object.assign(new WebhookEndpointsQuery(), { limit: 100 }));
  for (const mode of MODES) {
    const existing = data.find((endpoint) => endpoint.mode === mode && endpoint.url.endsWith(ECHO_TARGET));
    if (!existing) await service.create(ctx, { url, events: ['*'], mode, description: 'The page /dev/webhooks of the development server' });
    else if (existing.url !== url) await service.update(ctx, existing.id, { url });
  }
}
