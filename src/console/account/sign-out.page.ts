import { html, redirect } from '../../kit/index.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { SIGN_OUT } from '../frame/own-pages.js';
import { definePage } from '../frame/page-definition.js';
import { CallFailed } from '../frame/refusals.js';

/** Every page contains its form; this page is for links. */
export const signOutPage = definePage({
  path: SIGN_OUT,
  title: 'Sign out',
  permission: null,
  operations: [],
  show: (visit) => ({ title: 'Sign out', body: html`${visit.form('leave').render({ submit: { label: 'Sign out' } })}` }),
  actions: {
    leave: {
      operations: ['delete_session'],
      refusal: 'You are still signed in',
      async run(visit) {
        const response = await visit.send({ method: 'DELETE', path: '/session' });
        if (response.error) throw new CallFailed('DELETE /session', response);
        return redirect(CONSOLE_PATHS.signIn, { 'Set-Cookie': String([response.headers['set-cookie']].flat()[0]) });
      },
    },
  },
});
