import { html, labelled, type Html } from '../../kit/index.js';
import { PASSWORD_MIN_LENGTH } from '../../platform/people/model/passwords.js';

/** A field for a new password. It has no maximum length, because browsers silently truncate a pasted password. */
export function newPasswordField(label: string, problem: string | undefined): Html {
  const labels = { id: 'password', label, hint: `At least ${PASSWORD_MIN_LENGTH} characters.`, problem };
  return labelled(
    labels,
    (attributes) =>
      html`<input type="password" name="password" autocomplete="new-password" required minlength="${PASSWORD_MIN_LENGTH}"${attributes}>`,
  );
}
