import { defineEvents, event } from '../../../kit/index.js';
import { WebhookEndpointDto } from './webhook-endpoints.dto.js';

/** The events of the platform. */
export const WebhookEvents = defineEvents({
  tested: event({
    name: 'webhook_endpoint.tested',
    description: 'A test event was requested for this endpoint; it is sent to no other.',
    permission: null,
    payload: WebhookEndpointDto,
  }),
});
