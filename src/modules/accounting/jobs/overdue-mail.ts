import type { Mail } from '../../../kit/index.js';
import type { DunningStep, Seller } from '../model/settings.entity.js';

/** A reminder of an overdue invoice, as a step of the settings words it. `values`: what its placeholders stand for. */
export function overdueMail(
  to: string,
  { subject, text }: DunningStep,
  values: Readonly<Record<'NUMBER' | 'BALANCE' | 'DUE_ON' | 'CUSTOMER', string>>,
  { name, email }: Seller,
): Mail {
  const filled = (one: string) => one.replaceAll(/\{([A-Z_]+)\}/g, (all, field: string) => values[field as keyof typeof values] ?? all);
  return {
    to,
    subject: filled(subject),
    content: {
      parts: [
        { letter: filled(text) },
        {
          facts: [
            ['Invoice', values.NUMBER],
            ['To pay', values.BALANCE],
            ['Due on', values.DUE_ON],
          ],
        },
      ],
      reason:
        `You receive this mail because the invoice ${values.NUMBER} to ${values.CUSTOMER} is overdue. ` +
        'If you have paid it, ignore this mail.',
    },
    ...(name && { senderName: name }),
    ...(email && { replyTo: email }),
    permission: 'accounting.invoice.manage',
  };
}
