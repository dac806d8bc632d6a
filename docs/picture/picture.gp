# The picture of README.md: gnuplot -e "data='FOLDER'; picture='FILE.png'" picture.gp
set terminal pngcairo size 1440,620 font "Sans,15" linewidth 1.3
set output picture
set multiplot layout 1,2 margins 0.06,0.895,0.135,0.9 spacing 0.085,0
set tics nomirror out scale 0.6
set border 3 lc rgb "#444444"
set grid lc rgb "#e4e4e4" lt 1 lw 0.6

slip = "#d95f02"; stick = "#1f5fa8"

# trajectories, coloured by contact mode: a block is a member
set title "Position of 22 members: where they slip, where they stick"
set xlabel "t"; set ylabel "x" offset 1.2,0
set xrange [0:4]; set yrange [*:*]
set key top left reverse Left samplen 1.6
file = data."/trajectories.txt"
plot file using 1:2:($3 == 1 ? 0xd95f02 : $3 == 2 ? 0x1f5fa8 : 0x888888) with lines lw 1.5 lc rgb variable notitle, \
     NaN with lines lw 3 lc rgb slip title "slip", NaN with lines lw 3 lc rgb stick title "stick"

# one point a member
set title "Furthest point of 2000 members against the friction angle"
set xlabel "friction angle α"; set ylabel "reach = max x"
set xrange [0.09:0.61]; set yrange [0:*]
set cblabel "delay τ" offset 0,0
set cbrange [0.05:0.4]; set cbtics 0.1,0.1 scale 0.4
set colorbox user origin 0.91,0.135 size 0.012,0.765
set palette defined (0 "#3b0f70", 0.35 "#b5367a", 0.7 "#fb8861", 1 "#f2d16b")
set key top right noreverse Right samplen 0.5
file = data."/reach.txt"
plot file using 1:($4 < 4 ? $2 : NaN):3 with points pt 7 ps 0.55 lc palette notitle, \
     file using 1:($4 < 4 ? NaN : $2):3 with points pt 8 ps 0.9 lc palette notitle, \
     NaN with points pt 7 ps 1 lc rgb "#b5367a" title "at rest at the end", NaN with points pt 8 ps 1.2 lc rgb "#b5367a" title "still moving"
unset multiplot
