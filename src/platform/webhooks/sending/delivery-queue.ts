/** The work queue of deliveries that are due. */
export const DELIVERY_QUEUE = 'webhooks.deliver';
