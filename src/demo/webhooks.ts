import type { INestApplicationContext } from '@nestjs/common';
import type { Ctx, Mode } from '../kit/index.js';
import { WebhookEndpointsQuery } from '../platform/webhooks/webhook-endpoints.dto.js';
import { WebhookEndpointsService } from '../platform/webhooks/webhook-endpoints.service.js';
import { ECHO_TARGET } from './echo-receiver.js';

const MODES: readonly Mode[] = ['live', 'test'];

/** An endpoint of each mode that leads to the page of this server, wherever the server listens this time. */
export async function pointWebhooksHere(app: INestApplicationContext, ctx: Ctx, baseUrl: string): Promise<void> {
  const service = app.get(WebhookEndpointsService);
  const url = `${baseUrl}${ECHO_TARGET}`;
  const { data } = await service.page(ctx, Object.assign(new WebhookEndpointsQuery(), { limit: 100 }));
  for (const mode of MODES) {
    const known = data.find((endpoint) => endpoint.mode === mode && endpoint.url.endsWith(ECHO_TARGET));
    if (!known) await service.create(ctx, { url, events: ['*'], mode, description: 'The page /dev/webhooks of the development server' });
    else if (known.url !== url) await service.update(ctx, known.id, { url });
  }
}
