import { fastifyCookie } from '@fastify/cookie';

export const SESSION_COOKIE = 'svc_session';

/** The session token of a request, from its raw `Cookie` header. */
export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  return cookieHeader ? fastifyCookie.parse(cookieHeader)[SESSION_COOKIE] : undefined;
}

/** A `Set-Cookie` value; without a token it removes the cookie. */
export function sessionCookie(token: string | null, secure: boolean): string {
  return fastifyCookie.serialize(SESSION_COOKIE, token ?? '', {
    httpOnly: true, sameSite: 'lax', path: '/', secure, ...(token === null ? { maxAge: 0 } : {}),
  });
}
