/** Pages of the console to which mails and other pages link. */
export const CONSOLE_PATHS = {
  start: '/console',
  account: '/console/account',
  signIn: '/console/sign-in',
  reset: '/console/reset',
  invitation: '/console/invitation',
  webhooks: '/console/webhooks',
} as const;
