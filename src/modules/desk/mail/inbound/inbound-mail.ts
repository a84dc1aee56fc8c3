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

/** A report of a mail server that could not deliver a mail, or delivered it late. */
export interface Bounce {
  /** The Message-IDs of the mail that it is about, from its returned headers. */
  messageIds: string[];
  /** The number of a ticket that it names, such as in the subject of the returned mail. Anybody can write one. */
  ticketNumber: string | null;
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
  /** Where answers are to go. */
  replyTo: MailAddress[];
  /** Whom a group names as the sender, because From is the group itself. */
  originalSenders: MailAddress[];
  /** All addresses to which it was sent or delivered, also those that only the servers on its way know. */
  deliveredTo: string[];
  /** The mailing list or group through which it came. */
  lists: { addresses: string[]; domains: string[] };
  /** The values of Authentication-Results, the latest first. */
  authenticationResults: string[];
  /** One line, at most 255 characters; never empty. */
  subject: string;
  /** The text without the quoted mail; at most 100,000 characters, empty only if there is nothing to read. */
  text: string;
  /** The quoted end of the text, which is not part of it. */
  quoted: string | null;
  /** Sanitized; null if there is none, or it is too large. */
  html: string | null;
  files: MailFile[];
  /** The names of files that were left out because there were too many. */
  omittedFiles: string[];
  automatic: AutomaticReason | null;
  /** Whether a script of a website sent it, not a mail program. */
  isOfScript: boolean;
  /** Whether it asks for no automatic replies. */
  declinesAnswers: boolean;
  bounce: Bounce | null;
}
