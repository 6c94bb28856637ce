// How a client program reports: one line a check, `ok - …` or `not ok - …`, which `run` counts.

/** Runs `body` and prints whether the statement held. A failed check does not stop the ones after it. */
export async function check(statement, body) {
  try {
    await body();
    console.log(`ok - ${statement}`);
  } catch (error) {
    console.log(`not ok - ${statement}`);
    console.log(indent(wordsOf(error)));
    process.exitCode = 1;
  }
}

/**
 * Awaits a refusal and answers all that the client lets its user see of it: the texts of the error and of what caused it.
 * Fails when the call was let through.
 */
export async function refusalOf(call) {
  let answer;
  try {
    answer = await call();
  } catch (error) {
    return wordsOf(error);
  }
  throw new Error(`expected a refusal, got ${JSON.stringify(answer)}`);
}

function wordsOf(error) {
  const texts = [];
  for (let cause = error; cause; cause = cause.cause) texts.push(String(cause.message ?? cause));
  return texts.join('\n');
}

function indent(text) {
  return text.replaceAll(/^/gm, '    ');
}
