import type { Mail } from '../../../kit/index.js';
import { roleTitle } from '../../people/roles/role-title.js';

/** Who is invited to become a member, and by whom. */
export interface InvitedMember {
  email: string;
  name: string;
  role: string;
  /** Null if it is no person. */
  inviter: { name: string; email: string } | null;
}

/** Invites a person to become a member. The link lets its reader become that member. */
export function memberInvitationMail({ email, name, role, inviter }: InvitedMember, organization: string, url: string, days: number): Mail {
  return {
    to: email,
    subject: `Invitation to ${organization}`,
    content: {
      greeting: `Hello ${name},`,
      parts: [
        `${inviter?.name ?? 'An administrator'} invites you to become a member of ${organization}, with the role ${roleTitle(role)}.`,
        `Set your password within ${days} days; the link works once.`,
      ],
      action: { url, label: 'Set your password' },
      notes: ['The link is for you only. If you did not expect this, ignore this mail: without a password nobody can sign in as you.'],
      reason: `You receive this mail because ${inviter?.name ?? 'an administrator'} entered your address to invite you to ${organization}.`,
    },
    ...(inviter !== null && { replyTo: inviter.email, autoSubmitted: 'no' as const }),
    confidential: true,
    permission: null,
  };
}

/** The link to set a new password, for a member who has requested it. */
export function newPasswordMail(to: string, organization: string, url: string, minutes: number): Mail {
  return {
    to,
    subject: `New password for ${organization}`,
    content: {
      parts: [
        `Somebody asked for a new password for your ${organization} account.`,
        `Set it within ${minutes} minutes; the link works once.`,
      ],
      action: { url, label: 'Set a new password' },
      notes: ['If it was not you, ignore this mail: your password stays as it is.'],
      reason: `You receive this mail because your address is that of an account at ${organization}.`,
    },
    confidential: true,
    permission: null,
  };
}

/** Tells a member that their password is another one. `how`: such as "was changed in the developer area". */
export function passwordChangedMail(to: string, how: string, resetUrl: string): Mail {
  return {
    to,
    subject: 'Your password was changed',
    content: {
      parts: [`The password of your account ${to} ${how}. Other sessions were ended.`],
      action: { url: resetUrl, label: 'It was not me', lead: 'If it was not you, ask for a new password:' },
      notes: ["If it was not you, also inform whoever manages your organization's members."],
      reason: 'You receive this mail because it concerns the security of your account. Such mails cannot be turned off.',
    },
    permission: null,
  };
}
