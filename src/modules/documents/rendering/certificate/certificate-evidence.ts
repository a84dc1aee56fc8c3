import { createHash } from 'node:crypto';

/** A signature as it was given: a name that was typed, or a picture that was drawn. */
export type GivenSignature = { kind: 'typed'; text: string } | { kind: 'drawn'; png: Buffer };

/** What is on record of one party's signing. */
export interface SigningFacts {
  name: string;
  email: string;
  /** What the party is to the document: "Customer". */
  label: string;
  /** RFC 3339, UTC. */
  signed_at: string;
  ip: string;
  user_agent: string | null;
  /** Word for word what the party agreed to. */
  consent_text: string;
  signature: GivenSignature;
}

/** One link of the chain: SHA-256 over the previous hash and the canonical JSON of the facts, in hexadecimal. */
export function evidenceHash(previous: string, facts: object): string {
  return createHash('sha256').update(previous).update(canonicalJson(facts)).digest('hex');
}

/**
 * The facts as they are hashed; a drawing stands in them as its own hash. The chain begins with the document's
 * `content_sha256`, and each party's link follows the one who signed before: none can be changed, dropped or moved later.
 */
export function hashedFacts({ name, email, label, signed_at, ip, user_agent, consent_text, signature }: SigningFacts): object {
  const given =
    signature.kind === 'typed' ? signature : { kind: signature.kind, png_sha256: createHash('sha256').update(signature.png).digest('hex') };
  return { name, email, label, signed_at, ip, user_agent, consent_text, signature: given };
}

/** JSON that is the same for equal values: keys sorted, no spaces (RFC 8785, for the strings and numbers we have). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
