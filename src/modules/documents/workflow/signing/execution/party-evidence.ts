import { evidenceHash, hashedFacts, type GivenSignature, type SigningFacts } from '../../../engine/certificate/certificate-evidence.js';
import type { Signature, SignatureParty } from '../../../model/records/signature-party.entity.js';

/** A time later than all earlier signatures, because the times must show their order. */
export function nextMoment(signers: readonly SignatureParty[], now: Date): Date {
  return new Date(Math.max(now.getTime(), ...signers.map((signer) => signedAt(signer) + 1)));
}

/** The hash that a party's signature adds to the evidence chain, which begins with the hash of the frozen document. */
export function evidenceOf(contentSha256: string, signers: readonly SignatureParty[], party: SignatureParty): string {
  return evidenceHash(signers.at(-1)?.evidence_sha256 ?? contentSha256, hashedFacts(factsOf(party)));
}

/** The recorded facts of a party that signed. */
export function factsOf(party: SignatureParty): SigningFacts {
  const { name, email, label, user_agent, signature, initials, authentication, link_made_by, field_values, earlier_signers } = party;
  if (!party.signed_at || !signature) throw new Error(`The party ${party.id} has not signed.`);
  return {
    name,
    email,
    label,
    user_agent,
    authentication,
    link_made_by,
    field_values,
    earlier_signers: earlier_signers.length > 0 ? earlier_signers : undefined,
    signed_at: party.signed_at.toISOString(),
    ip: party.address ?? '',
    consent_text: party.consent_text ?? '',
    signature: given(signature),
    initials: initials ? given(initials) : undefined,
  };
}

function given(signature: Signature): GivenSignature {
  return signature.kind === 'typed' ? signature : { ...signature, png: Buffer.from(signature.png, 'base64') };
}

function signedAt({ signed_at }: SignatureParty): number {
  return signed_at?.getTime() ?? 0;
}
