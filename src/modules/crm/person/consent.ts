export const CONSENT_CHANNELS = ['email', 'sms', 'whatsapp'] as const;

export type ConsentChannel = (typeof CONSENT_CHANNELS)[number];

/** A person's answer for one channel: true is allowed, false is declined, null is never asked. */
export interface ConsentAnswer {
  granted: boolean | null;
  /** When the server received the answer, RFC 3339 UTC; never a time stated by the sender. */
  timestamp: string | null;
  source: string | null;
}

export type Consent = Record<ConsentChannel, ConsentAnswer>;

/** The flags as callers send them; an omitted flag changes nothing. */
export interface ConsentFlags {
  consent_email?: boolean;
  consent_sms?: boolean;
  consent_whatsapp?: boolean;
  /** Where the answers were given; has no effect without a flag. */
  consent_source?: string | null;
}

const NEVER_ASKED: ConsentAnswer = { granted: null, timestamp: null, source: null };

export const NO_CONSENT: Consent = Object.freeze({ email: NEVER_ASKED, sms: NEVER_ASKED, whatsapp: NEVER_ASKED });

/** The channels whose flag was sent. */
export function answeredChannels(flags: ConsentFlags): ConsentChannel[] {
  return CONSENT_CHANNELS.filter((channel) => typeof flags[`consent_${channel}`] === 'boolean');
}

/** The consent after the flags; a channel whose flag was not sent keeps its answer. */
export function withConsent(before: Consent, flags: ConsentFlags, now: Date): Consent {
  const answers = answeredChannels(flags).map((channel): [ConsentChannel, ConsentAnswer] => [
    channel,
    { granted: flags[`consent_${channel}`] as boolean, timestamp: now.toISOString(), source: flags.consent_source ?? null },
  ]);
  return { ...before, ...Object.fromEntries(answers) };
}
