import type { Mail } from '../../../kit/index.js';

/** Tells a member who manages webhooks that an endpoint was disabled. `reason`: such as "it responded with 410 Gone". */
export function disabledEndpointMail(to: string, endpointUrl: string, reason: string, url: string): Mail {
  return {
    to,
    subject: `Webhook endpoint disabled: ${new URL(endpointUrl).host}`,
    content: {
      parts: [
        `The webhook endpoint ${endpointUrl} was disabled because ${reason}.`,
        'Its waiting deliveries have failed, and new events are not sent to it.',
        'Once the receiver works again, enable the endpoint and resend what failed.',
      ],
      action: { url, label: 'See the endpoint' },
      reason: 'You receive this mail because your role manages the webhooks of your organization.',
    },
    permission: null,
  };
}
