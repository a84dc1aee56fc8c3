import { createHash } from 'node:crypto';
import type { Actor } from '../../../../kit/index.js';
import type { Authentication, EarlierSigner, Face } from '../../model/records/signature-party.entity.js';

/** A signature as the party gave it: a typed name or an image. */
export type GivenSignature = { kind: 'typed'; text: string; face?: Face } | { kind: 'drawn' | 'uploaded'; png: Buffer };

/** The recorded facts of one party's signature. */
export interface SigningFacts {
  name: string;
  email: string;
  /** The role of the party, for example "Customer". */
  label: string;
  /** RFC 3339, UTC. */
  signed_at: string;
  ip: string;
  user_agent: string | null;
  /** The exact text that the party agreed to. */
  consent_text: string;
  signature: GivenSignature;
  /** Absent if they follow from the name. */
  initials?: GivenSignature;
  /** Null for signatures from before this was recorded. */
  authentication: Authentication | null;
  /** Who made the link, if it was one for a frame; absent from signatures from before this was recorded. */
  link_made_by?: Actor | null;
  /** Those who were to sign before, the earliest first; absent if nobody was. */
  earlier_signers?: readonly EarlierSigner[];
  /** The texts that the party entered on the pages, by key of the field. */
  field_values: Readonly<Record<string, string>>;
}

/** One link of the chain: SHA-256 over the previous hash and the canonical JSON of the facts, in hexadecimal. */
export function evidenceHash(previous: string, facts: object): string {
  return createHash('sha256').update(previous).update(canonicalJson(facts)).digest('hex');
}

/** The hash of what a document consists of: that of its file, or of the hexadecimal hashes of several, each followed by a line feed. */
export function contentHash(files: readonly string[]): string {
  if (files.length === 1) return files[0];
  return createHash('sha256')
    .update(files.map((sha256) => `${sha256}\n`).join(''))
    .digest('hex');
}

/**
 * The facts in the form that is hashed, with an image replaced by its hash. The chain begins with the document's
 * `content_sha256`. Each signature continues the previous one, so no signature can be changed, removed or reordered later.
 */
export function hashedFacts(facts: SigningFacts): object {
  const { name, email, label, signed_at, ip, user_agent, consent_text, signature, earlier_signers } = facts;
  const { authentication, link_made_by, field_values, initials } = facts;
  const hashed = {
    name,
    email,
    label,
    signed_at,
    ip,
    user_agent,
    consent_text,
    signature: hashedSignature(signature),
    initials: initials && hashedSignature(initials),
    earlier_signers,
  };
  // earlier signatures were hashed without these facts
  return authentication === null ? hashed : { ...hashed, authentication, field_values, link_made_by: link_made_by ?? undefined };
}

function hashedSignature(given: GivenSignature): object {
  return given.kind === 'typed' ? given : { kind: given.kind, png_sha256: createHash('sha256').update(given.png).digest('hex') };
}

/** JSON that is identical for equal values: sorted keys, no spaces (RFC 8785, for the strings and numbers that occur here). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
