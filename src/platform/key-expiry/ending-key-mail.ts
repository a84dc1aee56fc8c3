import { timeText, type Mail } from '../../kit/index.js';

export interface NamedKey {
  name: string;
  module: string;
  mode: string;
  last_four: string;
  expires_at: Date;
}

/** Tells a member who made a key or manages keys that it expires soon. `permission`: what reading it in the outbox requires. */
export function endingKeyMail(to: string, key: NamedKey, now: Date, url: string, permission: string): Mail {
  const { name, module, mode, last_four, expires_at } = key;
  const days = Math.ceil((expires_at.getTime() - now.getTime()) / (24 * 60 * 60_000));
  const left = days <= 1 ? 'within a day' : `in ${days} days`;
  return {
    to,
    subject: `The API key "${name}" expires ${left}`,
    content: {
      parts: [
        `The ${mode} key "${name}" (module ${module}, ends in ${last_four}) expires on ${timeText(expires_at)}. ` +
          'Calls with it are rejected from then on.',
      ],
      action: { url, label: 'Move its end or replace it' },
      reason: 'You receive this mail because you made this key, or your role manages keys of your organization.',
    },
    permission,
  };
}
