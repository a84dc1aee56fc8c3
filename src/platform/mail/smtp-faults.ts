/** An error of nodemailer. */
export interface SmtpError extends Error {
  code?: string;
  /** The command that failed; `CONN` for the connection. */
  command?: string;
  responseCode?: number;
  originalCode?: string;
  syscall?: string;
  timeoutType?: string;
}

/**
 * What a failed attempt means:
 * - `refused`: the server refuses this recipient or this message for good
 * - `deferred`: it may accept this mail later
 * - `server`: it accepts no mail from us at present, and has not seen this one
 * - `uncertain`: the connection was lost, so it may have accepted the mail
 */
export type FaultKind = 'refused' | 'deferred' | 'server' | 'uncertain';

/** Why a server accepts no mail from us. */
export type ServerFault = 'connection' | 'tls' | 'authentication' | 'refusal';

/** Responses to RCPT and DATA that are about us, not about the recipient: no AUTH before it, bad order of commands (RFC 4954, 5321). */
const ABOUT_OUR_SESSION = new Set([503, 530, 534, 535, 538]);
/** The code of "relay access denied", the response to clients that did not sign in, is any of 550-554. */
const NO_RELAY = /\brelay/i;
const TOO_LARGE = 552;

export function faultOf(error: SmtpError): FaultKind {
  const { command = 'API', code, responseCode = 0, message } = error;
  if (command === 'RCPT TO' || command === 'DATA') {
    if (responseCode < 500) return 'deferred';
    return ABOUT_OUR_SESSION.has(responseCode) || NO_RELAY.test(message) ? 'server' : 'refused';
  }
  if (command === 'API' && code !== 'ECONNECTION') return 'deferred';
  if (command === 'MAIL FROM' && (responseCode === TOO_LARGE || code === 'EMESSAGE')) return 'deferred';
  return isConnected(error) ? 'uncertain' : 'server';
}

/** Whether the connection was established and then lost, at a step that the error does not name. */
function isConnected(error: SmtpError): boolean {
  const { command, code, responseCode, syscall, timeoutType } = error;
  if (command !== 'CONN' && command !== 'API') return false;
  if (responseCode || syscall === 'connect' || isAboutTls(error) || (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT'))
    return false;
  return code === 'ECONNECTION' || code === 'ESOCKET' || code === 'ETIMEDOUT';
}

/** Such as a certificate that is not trusted, which OpenSSL reports by codes of its own. */
function isAboutTls({ command, code, originalCode = '' }: SmtpError): boolean {
  return command === 'STARTTLS' || code === 'ETLS' || /CERT|SSL|TLS|SIGNATURE/.test(originalCode);
}

export function serverFaultOf(error: SmtpError): ServerFault {
  const { command = '', code, responseCode = 0 } = error;
  if (command.startsWith('AUTH') || code === 'EAUTH' || (ABOUT_OUR_SESSION.has(responseCode) && responseCode !== 503))
    return 'authentication';
  if (isAboutTls(error)) return 'tls';
  return responseCode >= 400 ? 'refusal' : 'connection';
}
