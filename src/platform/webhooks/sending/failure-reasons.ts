import { ForbiddenTarget } from '../../net/target-rules.js';

const LONGEST_REASON = 300;

/** What the owner of a receiver has to mend, by the codes of OpenSSL and Node. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed; use one of a public certificate authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate authority is not a public one',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate of its issuer is missing; the server must send its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate authority is not a public one, or the server does not send its intermediate certificates',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the server does not send its intermediate certificates',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  CERT_UNTRUSTED: 'its certificate authority is not a public one',
  INVALID_CA: 'a certificate of its chain may not issue certificates',
  INVALID_PURPOSE: 'it is not meant for servers',
  PATH_LENGTH_EXCEEDED: 'its chain is longer than its issuer allows',
  CERT_CHAIN_TOO_LONG: 'its chain is too long',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
};

/** Why no response came, for the owner of the receiver. */
export function reasonOf(error: Error): string {
  if (error instanceof ForbiddenTarget) return `forbidden target: ${error.message}`;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code in CERTIFICATE_FAULTS) return `certificate not accepted: ${CERTIFICATE_FAULTS[code]}`;
  const reason = message || code || error.name;
  return (/^(EPROTO|ERR_SSL_|ERR_OSSL_|ERR_TLS_)/.test(code) ? `no TLS connection: ${reason}` : reason).slice(0, LONGEST_REASON);
}

/** Why a response is not a success; null for a 2xx. */
export function refusalOf(status: number | null): string | null {
  if (status === null) return 'no answer';
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;
}
