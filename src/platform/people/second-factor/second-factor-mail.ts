import type { Mail } from '../../../kit/index.js';

/** Tells a member what became of their second factor. `what`: such as "has new recovery codes". */
export function secondFactorMail(to: string, subject: string, what: string): Mail {
  return {
    to,
    subject,
    content: {
      parts: [`Your account ${to} ${what}.`],
      notes: ["If it was not you, change your password now and inform whoever manages your organization's members."],
      reason: 'You receive this mail because it concerns the security of your account. Such mails cannot be turned off.',
    },
    permission: null,
  };
}
