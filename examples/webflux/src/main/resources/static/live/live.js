// Draws what the service tells twice a second. Chart comes from the WebJar.
const WINDOW = 60; // seconds that the line charts show
const byId = (id) => document.getElementById(id);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const secondsAgo = {
  type: 'linear',
  min: -WINDOW,
  max: 0,
  ticks: { stepSize: 15, maxRotation: 0, callback: (value) => (value ? `${-value} s ago` : 'now') },
};

function options(legend, x) {
  const text = { color: colour('--faint') };
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    plugins: { legend: { display: legend, labels: text }, tooltip: { enabled: legend } },
    scales: {
      x: x ? { ...x, ticks: { ...x.ticks, ...text }, grid: { color: colour('--line') } } : { display: false },
      y: { beginAtZero: true, ticks: { ...text, maxTicksLimit: 4 }, grid: { color: colour('--line') } },
    },
  };
}

const names = [['buffer', ['buffered', 'orders/s']], ['latency', ['ms']]];
let history = []; // what is plotted of each picture, with the time of the picture
const charts = {};

function draw() {
  Object.values(charts).forEach((chart) => chart.destroy());
  for (const [id, series] of names) {
    charts[id] = new Chart(byId(id), {
      type: 'line',
      data: {
        datasets: series.map((name, i) => ({
          label: name, data: points(name), pointRadius: 0, borderWidth: 2,
          borderDash: i ? [6, 3] : [], borderColor: colour(i ? '--second' : '--first'),
        })),
      },
      options: options(series.length > 1, secondsAgo),
    });
  }
  for (const id of ['plain', 'reversed', 'sharded']) {
    charts[id] = new Chart(byId(id), {
      type: 'bar',
      data: {
        labels: Array.from({ length: 64 }, (_, i) => `part ${i + 1}`),
        datasets: [{ data: before ? before.keys[id] : [], backgroundColor: colour('--first'), categoryPercentage: 1, barPercentage: 0.9 }],
      },
      options: options(false),
    });
  }
}

function points(name) {
  return history.map((each) => ({ x: each.seconds - history.at(-1).seconds, y: each[name] }));
}

function remember(point) {
  history = history.filter((each) => each.seconds <= point.seconds && each.seconds >= point.seconds - WINDOW);
  history.push(point);
}

function plot(id, series) {
  series.forEach((name, i) => { charts[id].data.datasets[i].data = points(name); });
  charts[id].update();
}

function keys(id, counts) {
  charts[id].data.datasets[0].data = counts;
  charts[id].update();
  const used = counts.filter((count) => count > 0).length;
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const most = rows ? Math.round((100 * Math.max(...counts)) / rows) : 0;
  byId(`${id}-text`).textContent = rows
    ? `${rows} ${rows === 1 ? 'row' : 'rows'} in ${used} of 64 parts; the fullest has ${most}\u00a0%`
    : 'no rows yet';
}

// Roles are named, because a browser may not take a row that is a card for a row.
function rows(id, lines) {
  const labels = [...byId(id).closest('table').querySelectorAll('th')].map((head) => head.textContent);
  byId(id).replaceChildren(...lines.map((line) => {
    const row = document.createElement('tr');
    row.setAttribute('role', 'row');
    row.append(...line.map((value, i) => {
      const cell = document.createElement('td');
      const text = document.createElement('span');
      cell.setAttribute('role', 'cell');
      cell.dataset.label = labels[i];
      text.textContent = value;
      cell.append(text);
      return cell;
    }));
    return row;
  }));
}

function condition(sequence, outage) {
  if (outage) {
    return sequence.buffered ? `cut off, ${sequence.buffered} left` : 'cut off, none left';
  }
  return sequence.failing ? 'failing' : 'good';
}

function sequences(state) {
  rows('sequences', state.sequences.map((each) => [each.name, each.buffered, each.waiting, each.issued,
    each.reservations, each.latencyMillis.toFixed(1), condition(each, state.outage)]));
  [...byId('sequences').rows].forEach((row, i) =>
    row.lastElementChild.classList.toggle('bad', Boolean(state.outage) || state.sequences[i].failing));
}

// What the buffer is worth without the database, beside what fails.
function worth(state) {
  byId('worth').hidden = !state.outage;
  if (state.outage) {
    byId('worth-issued').textContent = state.outage.issued;
    byId('worth-failed').textContent = state.outage.failed;
  }
}

function press(id, pressed, on, off) {
  byId(id).classList.toggle('on', pressed);
  byId(id).textContent = pressed ? on : off;
}

// A screen reader hears the status when it changes, and only then.
let said = '';
function say(text, bad) {
  if (text !== said) {
    said = text;
    byId('status').textContent = text;
    byId('status').classList.toggle('bad', bad);
  }
}

let before = null;
let recovery = 0; // until when a recovery is news
const NEWS_MS = 15000;
function status(state) {
  if (state.outage) {
    recovery = Infinity;
    say('The database is cut off. Ids in the buffer are still issued; orders wait or fail.', true);
  } else if (state.sequences.some((sequence) => sequence.failing)) {
    say(recovery === Infinity
      ? 'The database is back. The failed reservation is about to be retried.'
      : 'The last reservation failed. It is being retried.', recovery !== Infinity);
  } else if (performance.now() < recovery) {
    recovery = Math.min(recovery, performance.now() + NEWS_MS);
    say(state.loading ? 'The database is back. Orders are placed again.' : 'The database is back.', false);
  } else {
    say(state.loading ? 'The load runs.' : 'Idle. Start the load.', false);
  }
}

function show(state) {
  // By the service's clock: several pictures may arrive at once. After a restart it begins anew.
  const seconds = before ? state.seconds - before.seconds : 0;
  const rate = seconds > 0 ? Math.max(0, (state.placed - before.placed) / seconds) : 0;
  before = state;
  byId('placed').textContent = state.placed;
  byId('failed').textContent = state.failed;
  byId('rate').textContent = Math.round(rate);
  press('load', state.loading, 'Stop load', 'Start load');
  press('outage', Boolean(state.outage), 'Connect the database', 'Cut the database');
  status(state);
  sequences(state);
  worth(state);
  remember({
    seconds: state.seconds,
    buffered: state.sequences.reduce((sum, each) => sum + each.buffered, 0),
    'orders/s': rate,
    ms: Math.max(0, ...state.sequences.map((each) => each.latencyMillis)),
  });
  names.forEach(([id, series]) => plot(id, series));
  byId('buffer-text').textContent = `now ${history.at(-1).buffered} values, ${Math.round(rate)} orders per second`;
  byId('latency-text').textContent = `last ${history.at(-1).ms.toFixed(1)} ms`;
  keys('plain', state.keys.plain);
  keys('reversed', state.keys.reversed);
  keys('sharded', state.keys.sharded);
}

async function send(path, id) {
  const pressed = byId(id).classList.contains('on');
  try {
    const answer = await fetch(path, { method: pressed ? 'DELETE' : 'PUT' });
    if (!answer.ok) {
      say(`The service refused: ${answer.status}.`, true);
    }
  } catch {
    say('The service does not answer.', true);
  }
}

byId('load').addEventListener('click', () => send('/live/load', 'load'));
byId('outage').addEventListener('click', () => send('/live/outage', 'outage'));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);

draw();
function listen() {
  const events = new EventSource('/live/events');
  events.addEventListener('message', (event) => show(JSON.parse(event.data)));
  events.addEventListener('error', () => {
    say('The connection to the service is lost. Reconnecting …', true);
    // After an answer that is not the stream, a browser does not try again by itself.
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(listen, 2000);
    }
  });
}
listen();
