/** Why a mail is automatic. Automatic mails neither open nor reopen a ticket and are never acknowledged. */
export type AutomaticReason = 'bounce' | 'receipt' | 'empty_return_path' | 'auto_submitted' | 'out_of_office' | 'list' | 'calendar_reply';

export interface MailAddress {
  /** In lower case; the domain in ASCII. */
  email: string;
  name: string | null;
}

export interface MailFile {
  fileName: string;
  /** `type/subtype` in lower case, as the sender states it or its name suggests. */
  mediaType: string;
  bytes: Buffer;
}

/** A report of a mail server that could not deliver a mail (RFC 3464), or delivered it late. */
export interface Bounce {
  /** The Message-IDs of the mail that it is about, from its returned headers. */
  messageIds: string[];
  /** Whom it did not reach, as far as the report says; in lower case. */
  recipients: string[];
  /** False while the server still tries. */
  isFinal: boolean;
  /** What the receiving server said. */
  reason: string;
}

/** A parsed mail: of bounded size, decoded and sanitized. */
export interface InboundMail {
  /** With angle brackets. A mail without one gets one that depends on its content alone, so that it is read once. */
  messageId: string;
  /** The mails that it replies to, the nearest first: In-Reply-To, then References from the last to the first. */
  references: string[];
  /** Null if it has no usable sender, to whom nobody could reply. */
  from: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  /** One line, at most 255 characters; never empty. */
  subject: string;
  /** The text without the quoted mail; at most 100,000 characters, empty only if there is nothing to read. */
  text: string;
  /** The quoted end of the text, which is not part of it. */
  quoted: string | null;
  /** Sanitized; null if there is none, or it is too large. */
  html: string | null;
  files: MailFile[];
  /** The number of files that were dropped because there were too many. */
  omittedFiles: number;
  automatic: AutomaticReason | null;
  /** Whether it asks for no automatic replies. */
  declinesAnswers: boolean;
  bounce: Bounce | null;
}
