import { ForbiddenTarget } from './target-rules.js';

const LONGEST_REASON = 300;

/** What the owner of a receiver has to mend, by the codes of OpenSSL and Node. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it, or a certificate of its chain, has expired',
  CERT_NOT_YET_VALID: 'it, or a certificate of its chain, is not valid yet',
  CERT_REVOKED: 'it was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed; use one of a public certificate authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate authority is not a public one',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate of its issuer is missing; the server must send its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate authority is not a public one, or the server does not send its intermediate certificates',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the server does not send its intermediate certificates, or one of the chain is malformed',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  CERT_UNTRUSTED: 'its certificate authority is not a public one',
  INVALID_CA: 'a certificate of its chain may not issue certificates',
  INVALID_PURPOSE: 'it is not meant for servers, or a certificate of its chain may not issue certificates',
  PATH_LENGTH_EXCEEDED: 'its chain is longer than its issuer allows',
  CERT_CHAIN_TOO_LONG: 'its chain is too long',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
};

/** Node has no code of its own for most results of OpenSSL's verification. */
const OTHER_CERTIFICATE_FAULT = /^(?:UNSPECIFIED$|CERT_|CRL_|UNABLE_TO_|ERROR_IN_CERT_|HOSTNAME_MISMATCH$)/;

const OLD_TLS = 'no TLS connection: the server does not support TLS 1.2 or later';
const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: nothing listens on this port of the host',
  ECONNRESET: 'the receiver reset the connection',
  UND_ERR_SOCKET: 'the receiver closed the connection without a response',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are larger than 16 KiB',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the body of the response does not have the length that its Content-Length states',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: OLD_TLS,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'no TLS connection: the server requires a client certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS connection: the server does not speak TLS on this port',
};

/** The text of undici's parser. */
const NOT_HTTP = /^Response does not match the HTTP\/1\.1 protocol \((.+)\)$/;

/** OpenSSL's text of an error, such as `404DE2:error:0A00010B:SSL routines:tls_validate:wrong version number:../deps/x.c:77:`. */
function opensslReason(reason: string): string {
  return /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(reason)?.[1] ?? reason;
}

/** Why no response came, or not to its end, for the owner of the receiver. */
export function reasonOf(error: Error, hasBegun = false): string {
  if (error instanceof ForbiddenTarget) return `forbidden target: ${error.message}`;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code in CERTIFICATE_FAULTS) return `certificate not accepted: ${CERTIFICATE_FAULTS[code]}`;
  if (hasBegun && code === 'UND_ERR_SOCKET') return 'the receiver closed the connection before the response was complete';
  if (code in CONNECTION_FAULTS) return CONNECTION_FAULTS[code];
  if (OTHER_CERTIFICATE_FAULT.test(code)) return `certificate not accepted: ${message.slice(0, LONGEST_REASON)}`;
  const reason = (message || code || error.name).slice(0, LONGEST_REASON);
  const parsing = NOT_HTTP.exec(reason)?.[1];
  if (parsing !== undefined) return `the response is not valid HTTP: ${parsing}`;
  return /^(EPROTO|ERR_SSL_|ERR_OSSL_|ERR_TLS_)/.test(code) ? `no TLS connection: ${opensslReason(reason)}` : reason;
}

/** Why a response is not a success; null for a 2xx. */
export function refusalOf(status: number | null): string | null {
  if (status === null) return 'no answer';
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;
}
