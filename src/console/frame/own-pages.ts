/** Paths, below `/console`, of pages that the frame itself links to. */
export const FIND_PATH = '/find';
export const SIGN_OUT = '/sign-out';
export const ACCOUNT = '/account';
