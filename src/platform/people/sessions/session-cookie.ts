const SESSION_COOKIE = 'svc_session';

/** The session token of a request, from its raw `Cookie` header. Tokens are base64url, so no decoding is needed. */
export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  const prefix = `${SESSION_COOKIE}=`;
  const found = cookieHeader?.split(';').find((pair) => pair.trimStart().startsWith(prefix));
  return found?.trim().slice(prefix.length) || undefined;
}

/** The value of `Set-Cookie`; without a token it removes the cookie. */
export function sessionCookie(token: string | null, secure: boolean): string {
  const removal = token === null ? '; Max-Age=0' : '';
  return `${SESSION_COOKIE}=${token ?? ''}${removal}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}
