// A script of the pages of the sign-in: the next start of the application waits until the server names the person.
//
// Without this script, a slow server would let the application open the copy of the last person on this device.

import { noteSignIn } from '../store/remembered-account.js';

noteSignIn();
