/** An error of nodemailer. */
export interface SmtpError extends Error {
  code?: string;
  /** The command that failed; `CONN` for the connection. */
  command?: string;
  responseCode?: number;
  /** What the server said, with all lines and codes. */
  response?: string;
  originalCode?: string;
  syscall?: string;
  timeoutType?: string;
}

/**
 * What a failed attempt means:
 * - `refused`: the server permanently rejects this recipient or this message
 * - `deferred`: it may accept this mail later
 * - `denied`: it does not take this recipient from us until it is set up otherwise, but may take others
 * - `server`: it accepts no mail from us at present, and has not seen this one
 * - `uncertain`: the connection was lost, so it may have accepted the mail
 */
export type FaultKind = 'refused' | 'deferred' | 'denied' | 'server' | 'uncertain';

/** Why a server accepts no mail from us. */
export type ServerFault = 'connection' | 'tls' | 'authentication' | 'refusal';

/** Responses to RCPT and DATA that are about us, not about the recipient: no AUTH before it, bad order of commands (RFC 4954, 5321). */
const ABOUT_OUR_SESSION = new Set([503, 530, 534, 535, 538]);
/**
 * How servers say that they do not relay for us, or do not know us, to a client that did not sign in or may not send as this sender. The
 * code is any of 450-571, and many servers say it only for recipients of other domains.
 */
const DENIALS = new RegExp(
  [
    // Postfix, Exim, Exchange, sendmail, Gmail, Microsoft 365, Zoho
    'relay(?:ing)? (?:mail |access |operation |attempt )?(?:(?:to|for|from|through) \\S+ )?(?:is |was |are )?(?:currently )?' +
      '(?:denied|disallowed|disabled|forbidden|prohibited|refused|rejected|restricted|not (?:permitted|allowed|authori[sz]ed|enabled))',
    '(?:denied|unable|not (?:permitted|allowed|authori[sz]ed|configured|willing|able)|(?:can|do|does|will)(?: not|n.t)|cannot|refus\\w+) ' +
      '(?:to )?relay(?:ing)?(?: |$)',
    '(?:(?:can|do|does|will)(?: not|n.t)|cannot|refus\\w+ to) (?:allow|permit|accept|support|perform|provide|offer) (?:mail |open )?relay',
    '\\bnot relaying\\b',
    '\\bno relay(?:ing)? (?:allowed|permitted|access|without)',
    'credentials for relay',
    // qmail, MailEnable, hMailServer
    'list of allowed rcpthosts',
    // Postfix judges the client and the sender only when it sees the first recipient
    '(?:client host|helo command|sender address) rejected',
  ].join('|'),
  'i',
);
/** How servers ask a client to sign in. */
const SIGN_IN = new RegExp(
  [
    'requires? (?:smtp )?auth\\w+|\\bauth\\w* (?:is )?(?:required|needed|necessary)',
    '(?:must|have to|need to|should|please) (?:first )?(?:be )?authenticat',
    // not the owner of a mailbox
    '(?:you (?:must|have to|need to|should)|please) (?:first )?(?:be )?(?:log ?in\\b|logged in|sign in|signed in|use (?:smtp )?auth)',
    '(?:client|user|session|connection|sender|you) (?:(?:was|is|are|has|have) not|(?:was|is|are)n.t)(?: been)? (?:authenticated|logged in)',
    '\\bno(?:t|n)?[ -]authenticat(?:ed|ion)\\b(?! results?)|\\bunauthenticated (?:client|connection|session|user|sender)',
    '\\bauthenticate (?:first|before|to send|to relay)',
  ].join('|'),
  'i',
);
/** A sender as whom our user may not send (Exchange, Microsoft 365), told after the message. */
const NOT_OUR_SENDER = /permissions? to send as this sender|SendAsDenied|not (?:allowed|authori[sz]ed) to send as\b/i;
/**
 * The recipient's policy: checks of the mail by SPF, DKIM and the like (RFC 7372: 5.7.20 to 5.7.29), and groups and mailboxes that take
 * mail from some senders only (Exchange: 5.7.12x and 5.7.13x).
 */
const RECIPIENTS_POLICY = /^\d{3}[- ]#?[45]\.7\.(?:2\d|12\d|13\d)\b|\b(?:SPF|DKIM|DMARC|ARC)\b|\bRESOLVER\.RST\b/m;
/** A server that wants TLS first (RFC 3207, RFC 4954). */
const NEEDS_TLS = /^(?:530|538) .*(?:\bTLS|STARTTLS|encrypt)/im;
const TOO_LARGE = 552;

export function faultOf(error: SmtpError): FaultKind {
  const { command = 'API', code, responseCode = 0 } = error;
  if (command === 'RCPT TO' || command === 'DATA') {
    if (responseCode >= 400 && (ABOUT_OUR_SESSION.has(responseCode) || isDenial(error))) return 'denied';
    return responseCode < 500 ? 'deferred' : 'refused';
  }
  // a user without a password
  if (code === 'EAUTH') return 'server';
  if (command === 'API' && code !== 'ECONNECTION') return 'deferred';
  if (command === 'MAIL FROM' && (responseCode === TOO_LARGE || code === 'EMESSAGE')) return 'deferred';
  return isConnected(error) ? 'uncertain' : 'server';
}

/** Once a server took the recipient from us, what it says about relays and senders is what another server or its filter told it. */
function isDenial(error: SmtpError): boolean {
  const { command, response = '' } = error;
  const words = wordsOf(error);
  if (NOT_OUR_SENDER.test(words)) return true;
  return command === 'RCPT TO' && !RECIPIENTS_POLICY.test(response) && (DENIALS.test(words) || SIGN_IN.test(words));
}

/** What a response says, without codes and without addresses and names, which are the recipient's or the server's choice. */
function wordsOf({ response = '' }: SmtpError): string {
  return response
    .replace(/^\d{3}[- ]?(?:#?[245]\.\d{1,3}\.\d{1,3}\b)?/gm, ' ')
    .replace(/\((?![\p{L} ]*\))[^()]*\)|\[[^[\]]*\]|"[^"]*"|(?<!\w)'[^']*'/gu, ' ')
    .replace(/<[^<>]*>/g, 'X')
    .replace(/[^\s:;,]*@[^\s:;,]*|\b[\w-]+(?:\.[\w-]+)+/g, 'X')
    .replace(/\s+/g, ' ');
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
  const { command = '', code, responseCode = 0, response = '' } = error;
  if (NEEDS_TLS.test(response) && responseCode >= 500) return 'tls';
  if (command.startsWith('AUTH') || code === 'EAUTH' || (ABOUT_OUR_SESSION.has(responseCode) && responseCode !== 503))
    return 'authentication';
  if (isAboutTls(error)) return 'tls';
  return responseCode >= 400 ? 'refusal' : 'connection';
}
